import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { distinctNames, distinguishHit, formsOfHit } from "@/lib/clients/hits";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { call } from "@/tests/call";
import { runWithoutTimeout } from "@/tests/direct";
import { makeForm, makeUser, type Person } from "@/tests/factories";

// The client search and the duplicate check that run before a new client is created.

let advocate: Person;

beforeAll(async () => {
  advocate = await makeUser();
});
beforeEach(async () => {
  await runWithoutTimeout("TRUNCATE clients CASCADE");
});

/**
 * Adds clients with these names, in this order, created today by the program's clock. The database's day may
 * differ.
 */
const add = (...names: string[]) =>
  rows(
    sql`INSERT INTO clients (name, created_on, user_id, updated_at)
     SELECT name, ${today()}::date, ${advocate.id}, now() FROM unnest(${names}::text[]) WITH ORDINALITY AS n(name, at) ORDER BY at`,
  );

const namesOf = (clients: { name: string }[]) => clients.map(({ name }) => name);
const search = async (text: string) =>
  namesOf((await call(advocate.cookie, "POST", "/api/clients/search", { search: text })).body.clients);
const similarNames = async (name: string) =>
  namesOf((await call(advocate.cookie, "POST", "/api/clients/similar", { name })).body.clients);

describe("the client search", () => {
  test("returns just enough about each client to distinguish it from others with the same name", async () => {
    await add("Rosa Lind");
    const { status, body } = await call(advocate.cookie, "POST", "/api/clients/search", { search: "rosa" });
    expect(status).toBe(200);
    expect(body).toEqual({
      clients: [
        {
          id: expect.any(Number),
          name: "Rosa Lind",
          advocate: `${advocate.firstName} ${advocate.lastName}`,
          yearOfBirth: null,
          createdOn: today(),
          forms: 0,
        },
      ],
    });
  });

  test("ranks names that start with the text first, then names with a word that does, then the rest", async () => {
    await add("Roseanna Bell", "Bell, Anna", "Anna Zorn", "Anna Bell", "Hannah Bell", "Otto");
    expect(await search("anna")).toEqual([
      "Anna Bell",
      "Anna Zorn",
      "Bell, Anna",
      "Hannah Bell",
      "Roseanna Bell",
    ]);
  });

  test.each([
    ["an", ["Ana Ruiz"]],
    ["a", ["Ana Ruiz"]],
    ["ruiz a", ["Ana Ruiz"]],
    ["RUIZ, ANA", ["Ana Ruiz"]],
    ["jimenez", ["Zoë Jiménez"]],
    ["zoe", ["Zoë Jiménez"]],
    ["Zoë", ["Zoë Jiménez"]],
    ["obri", ["Mary O’Brien-Cole"]],
    ["o'bri", ["Mary O’Brien-Cole"]],
    ["brien-c", ["Mary O’Brien-Cole"]],
    ["cole mary", ["Mary O’Brien-Cole"]],
    ["анна", ["Анна Каренина"]],
    ["100%", []],
    ["%", []],
    ["_", []],
    ["\\", []],
    ["ana lopez", []],
  ])("for %j finds %j", async (text, names) => {
    await add("Ana Ruiz", "Zoë Jiménez", "Mary O’Brien-Cole", "Анна Каренина");
    expect(await search(text)).toEqual(names);
  });

  test.each([
    ["Đặng Łucja", "dang lucja"],
    ["Søren Þór Æsa", "soren thor aesa"],
    ["Cœur Groß", "coeur gross"],
    ["Iğdır Ðor", "igdir dor"],
    ["Ana O´Hara", "ana o'hara"],
    ["Ana O′Hara", "ana ohara"],
    ["Ana O＇Hara", "ana o`hara"],
    ["Ana Oʻhara", "ana o‘hara"],
    ["Ana Lopez‐Ruiz", "ana lopez–ruiz"],
    ["Ana Lo\u00adpez", "ana lopez"],
    ["مُحَمَّد", "محمد"],
  ])("finds %j by %j, and the other way around", async (one, another) => {
    await add(one);
    expect(await search(another)).toEqual([one]);
    expect(await similarNames(another)).toEqual([one]);
    await rows(sql`UPDATE clients SET name = ${another}`);
    expect(await search(one)).toEqual([another]);
  });

  test("reads tabs, line breaks and invisible characters of a pasted text as blanks or as nothing", async () => {
    await add("Ana Ruiz");
    for (const text of ["ana\truiz", "\u202aAna\u00a0Ruiz\u202c\n", "a\u200bna\u2028ruiz", "\tana"])
      expect(await search(text), JSON.stringify(text)).toEqual(["Ana Ruiz"]);
    expect(await similarNames("Ana\tRuiz")).toEqual(["Ana Ruiz"]);
  });

  test("returns at most 20 clients, and the newest ones without a text", async () => {
    await add(...Array.from({ length: 25 }, (_, n) => `Client ${String.fromCharCode(65 + n)}`));
    expect((await search("client")).length).toBe(20);
    expect((await search(" ")).slice(0, 2)).toEqual(["Client Y", "Client X"]);
  });

  test.each(["search", "similar"])(
    "at /api/clients/%s needs Forms or Clients, and refuses anything but text of up to 255 characters",
    async (path) => {
      const url = `/api/clients/${path}`;
      const body = path === "search" ? { search: "x" } : { name: "x" };
      expect((await call(null, "POST", url, body)).status).toBe(401);
      expect((await call((await makeUser(["users"])).cookie, "POST", url, body)).status).toBe(403);
      for (const permission of ["forms", "clients"] as const) {
        expect((await call((await makeUser([permission])).cookie, "POST", url, body)).status).toBe(200);
      }
      expect((await call(advocate.cookie, "GET", url)).status).toBe(405);
      for (const wrong of [
        { search: 5, name: 5 },
        { search: "x".repeat(256), name: "x".repeat(256) },
      ]) {
        expect((await call(advocate.cookie, "POST", url, wrong)).status).toBe(422);
      }
    },
  );
});

describe("a similar name", () => {
  test.each([
    ["Smith", "Smyth"],
    ["Catherine", "Katherine"],
    ["Kathryn", "Catherine"],
    ["Jon", "John"],
    ["O'Brien", "OBrien"],
    ["Mary O Brien", "Mary O’Brien"],
    ["Maria Garcia", "Garcia Maria"],
    ["Maria Garcia", "Garcia, Maria"],
    ["María García", "Maria Garcia"],
    ["maria garcia", "MARIA  GARCIA"],
    ["Maria Garcia", "Maria Garcia-Lopez"],
    ["Maria Garcia", "Maria L. Garcia"],
    ["J Smith", "John Smith"],
    ["Jonathan Smith", "Jon Smyth"],
    ["Shaun Murphy", "Shawn Murphy"],
    ["Stephen Phillips", "Steven Philips"],
    ["Geoff Hill", "Jeff Hill"],
    ["Mohammed Ali", "Muhammad Ali"],
    ["Ana Hernandez", "Ana Hermandez"],
    ["Rosa de la Cruz", "Rosa Delacruz"],
    ["Michael Reyes", "Micheal Reyes"],
    ["Rosa Garcia", "Rosa Gracia"],
    ["Anne Cole", "Ann Cole"],
    ["Анна Каренина", "Каренина Анна"],
  ])("is found in both directions: %s and %s", async (one, another) => {
    await add(one);
    expect(await similarNames(another)).toEqual([one]);
    await rows(sql`UPDATE clients SET name = ${another}`);
    expect(await similarNames(one)).toEqual([another]);
  });
});

describe("another person's name", () => {
  test.each([
    ["Smith", "Jones"],
    ["John Smith", "Jane Smith"],
    ["John Smith", "John Miller"],
    ["Maria Garcia", "Maria Lopez"],
    ["Maria Elena Garcia", "Maria Lucia Garcia"],
    ["Mary Cole", "Mark Cole"],
    ["Jim Jones", "Tim Jones"],
    ["Ann Cole", "Amy Cole"],
    ["Maria Garcia", "Mario Vargas"],
    ["Christina Bell", "Christopher Bell"],
    ["Garcia Garcia", "Maria Garcia"],
    ["Rosa Lopez", "Rosa Gomez"],
    ["Lee Brown", "Lou Brown"],
    ["Анна Каренина", "Анна Иванова"],
  ])("is not found in either direction: %s and %s", async (one, another) => {
    await add(one);
    expect(await similarNames(another)).toEqual([]);
    await rows(sql`UPDATE clients SET name = ${another}`);
    expect(await similarNames(one)).toEqual([]);
  });
});

test("at most 5 similar clients are returned, most similar first, in the same format as the search", async () => {
  await add(
    "Jon Smyth",
    "Johnny Smith",
    "John Smith Jones",
    "John Smyth",
    "John Smith",
    "J. Smith",
    "Otto Kern",
  );
  const { body } = await call(advocate.cookie, "POST", "/api/clients/similar", { name: "John Smith" });
  expect(namesOf(body.clients).slice(0, 2)).toEqual(["John Smith", "John Smyth"]);
  expect(body.clients.length).toBe(5);
  expect(Object.keys(body.clients[0])).toEqual([
    "id",
    "name",
    "advocate",
    "yearOfBirth",
    "createdOn",
    "forms",
  ]);
});

test.each(["", "  ", "?!", "🕊️", "한".repeat(255), "a ".repeat(127)])(
  "an unusual name causes no error: %j",
  async (name) => {
    await add("Rosa Lind", "한".repeat(255));
    expect((await call(advocate.cookie, "POST", "/api/clients/similar", { name })).status).toBe(200);
    expect((await call(advocate.cookie, "POST", "/api/clients/search", { search: name })).status).toBe(200);
  },
);

test("a list finds a name by more words than indexes answer, each once or more, and by all of them only", async () => {
  const letters = [..."abcdefghijklmnopqrst"];
  await add(letters.join(" "), letters.slice(1).join(" "), "Maximilian Alexander Bartholomew Christopher");
  const listed = async (text: string) => {
    const { body } = await call(advocate.cookie, "GET", `/api/clients?search=${encodeURIComponent(text)}`);
    return namesOf(body.clients);
  };
  expect(await listed([...letters].reverse().join(" "))).toEqual([letters.join(" ")]);
  expect(await listed("b c d e")).toHaveLength(2);
  expect(await listed(`${letters.join(" ")} z`)).toEqual([]);
  expect(await listed("christopher bartholomew bartholomew max")).toHaveLength(1);
  expect(await listed("christopher ".repeat(20))).toHaveLength(1);
});

test("clients whose names have only symbols take no place of a similar name", async () => {
  await add(...Array.from({ length: 61 }, (_, at) => "?".repeat(at + 1)), "K");
  expect(await similarNames("Kwame")).toEqual(["K"]);
});

test("a found client has the number of their forms that the user may open, and none without Forms", async () => {
  const { clientId } = await makeForm(advocate);
  await makeForm(advocate, {}, clientId);
  await call(advocate.cookie, "PUT", `/api/clients/${clientId}`, { client: { name: "Kofi Lanternby" } });
  const colleague = await makeUser(["forms"]);
  await makeForm(colleague, {}, clientId);
  const supervisor = await makeUser(["forms", "all-forms"]);
  const receptionist = await makeUser(["clients"]);
  for (const [person, forms] of [
    [advocate, 2],
    [colleague, 1],
    [supervisor, 3],
    [receptionist, 0],
  ] as const) {
    const found = [
      (await call(person.cookie, "POST", "/api/clients/search", { search: "lanternby" })).body,
      (await call(person.cookie, "POST", "/api/clients/similar", { name: "Kofi Lanternbi" })).body,
    ];
    expect(found.map(({ clients }) => clients.map(formsOfHit))).toEqual(
      Array(2).fill([forms === 0 ? "" : forms === 1 ? "1 form" : `${forms} forms`]),
    );
    expect(found.map(({ clients }) => clients[0].forms)).toEqual([forms, forms]);
  }
});

test("a renamed client is found as similar to the new name", async () => {
  const form = await makeForm(advocate);
  await call(advocate.cookie, "PUT", `/api/clients/${form.clientId}`, {
    client: { name: "Wilhelmina Kern" },
  });
  expect(await similarNames("Vilhelmina Kern")).toEqual(["Wilhelmina Kern"]);
});

test("clients with the same name are distinguished by year of birth, or by the date they were created", async () => {
  await add("Rosa Lind", "Rosa LIND", "Rosa Lindt");
  await rows(
    sql`INSERT INTO client_biographical_entries (client_id, date_of_birth)
     SELECT id, '1987-03-02' FROM clients WHERE name = 'Rosa Lind'`,
  );
  await rows(sql`UPDATE clients SET created_on = '2024-05-06'`);
  const { body } = await call(advocate.cookie, "POST", "/api/clients/search", { search: "rosa" });
  const shownRows = body.clients.map((hit: (typeof body.clients)[number]) => [
    hit.name,
    distinguishHit(hit, body.clients),
  ]);
  expect(Object.fromEntries(shownRows)).toEqual({
    "Rosa Lind": "born 1987",
    "Rosa LIND": "since 05/06/2024",
    "Rosa Lindt": "",
  });
});

test("clients with the same name and mark are distinguished by their number as well", () => {
  const createdOn = "2024-05-06";
  const rosa = { id: 1, name: "Rosa Lind", yearOfBirth: 1987, createdOn, advocate: "", forms: 0 };
  const hits = [rosa, { ...rosa, id: 2, name: "ROSA LIND" }, { ...rosa, id: 3, yearOfBirth: null }];
  expect(hits.map((hit) => distinguishHit(hit, hits))).toEqual([
    "born 1987, client 1",
    "born 1987, client 2",
    "since 05/06/2024",
  ]);
});

test("names of people are followed by what distinguishes them only if several have them", () => {
  const person = (id: number | null, name: string, yearOfBirth: number | null, createdOn = "2024-05-06") => ({
    id,
    name,
    yearOfBirth,
    createdOn,
  });
  const people = [
    person(1, "Rosa Lind", 1987),
    person(2, "Rosa Lind", null),
    person(3, "Rosa Lind", null, ""),
    person(null, "Rosa Lind", null, ""),
    person(4, "Ada Lind", 1990),
  ];
  expect(distinctNames(people)).toEqual([
    "Rosa Lind · born 1987",
    "Rosa Lind · since 05/06/2024",
    "Rosa Lind · client 3",
    "Rosa Lind",
    "Ada Lind",
  ]);
});
