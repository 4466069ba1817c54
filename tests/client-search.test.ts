import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { distinguishHit } from "@/lib/clients/schema";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/database/sql";
import { today } from "@/lib/core/fields/format";
import { call } from "@/tests/call";
import { runUnhurried } from "@/tests/direct";
import { makeForm, makeUser, type Person } from "@/tests/factories";

// Finding a client before making a second one (issue: finding before creating).

let advocate: Person;

beforeAll(async () => {
  advocate = await makeUser();
});
beforeEach(async () => {
  await runUnhurried("TRUNCATE clients CASCADE");
});

/** Clients of these names, in this order, made today as the program counts it: the database's day may be another. */
const add = (...names: string[]) =>
  rows(
    sql`INSERT INTO clients (name, created_on, user_id, updated_at)
     SELECT name, ${today()}::date, ${advocate.id}, now() FROM unnest(${names}::text[]) WITH ORDINALITY AS n(name, at) ORDER BY at`,
  );

const namesOf = (clients: { name: string }[]) => clients.map(({ name }) => name);
const search = async (text: string) =>
  namesOf((await call(advocate.cookie, "POST", "/api/clients/search", { search: text })).body.clients);
const similar = async (name: string) =>
  namesOf((await call(advocate.cookie, "POST", "/api/clients/similar", { name })).body.clients);

describe("the client search", () => {
  test("returns of each client just enough to distinguish it from others of that name", async () => {
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
        },
      ],
    });
  });

  test("answers names that begin with the text first, then those with a word that does, then the rest", async () => {
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

  test("answers at most 20 clients, and the newest ones without a text", async () => {
    await add(...Array.from({ length: 25 }, (_, n) => `Client ${String.fromCharCode(65 + n)}`));
    expect((await search("client")).length).toBe(20);
    expect((await search(" ")).slice(0, 2)).toEqual(["Client Y", "Client X"]);
  });

  test.each(["search", "similar"])(
    "at /api/clients/%s needs Forms or Clients, and refuses what is no text of 255 characters",
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

describe("a name that is similar", () => {
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
  ])("is found both ways: %s and %s", async (one, another) => {
    await add(one);
    expect(await similar(another)).toEqual([one]);
    await rows(sql`UPDATE clients SET name = ${another}`);
    expect(await similar(one)).toEqual([another]);
  });
});

describe("a name of somebody else", () => {
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
  ])("is not found either way: %s and %s", async (one, another) => {
    await add(one);
    expect(await similar(another)).toEqual([]);
    await rows(sql`UPDATE clients SET name = ${another}`);
    expect(await similar(one)).toEqual([]);
  });
});

test("similar clients are at most 5, the likeliest first, of the same shape as the search's", async () => {
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
  expect(Object.keys(body.clients[0])).toEqual(["id", "name", "advocate", "yearOfBirth", "createdOn"]);
});

test.each(["", "  ", "?!", "🕊️", "한".repeat(255), "a ".repeat(127)])(
  "a strange name is no error: %j",
  async (name) => {
    await add("Rosa Lind", "한".repeat(255));
    expect((await call(advocate.cookie, "POST", "/api/clients/similar", { name })).status).toBe(200);
    expect((await call(advocate.cookie, "POST", "/api/clients/search", { search: name })).status).toBe(200);
  },
);

test("a renamed client is found as similar to the new name", async () => {
  const form = await makeForm(advocate);
  await call(advocate.cookie, "PUT", `/api/clients/${form.clientId}`, {
    client: { name: "Wilhelmina Kern" },
  });
  expect(await similar("Vilhelmina Kern")).toEqual(["Wilhelmina Kern"]);
});

test("clients of one name are told apart by their year of birth, or by the day since when they are known", async () => {
  await add("Rosa Lind", "Rosa LIND", "Rosa Lindt");
  await rows(
    sql`INSERT INTO client_biographical_entries (client_id, date_of_birth)
     SELECT id, '1987-03-02' FROM clients WHERE name = 'Rosa Lind'`,
  );
  await rows(sql`UPDATE clients SET created_on = '2024-05-06'`);
  const { body } = await call(advocate.cookie, "POST", "/api/clients/search", { search: "rosa" });
  const told = body.clients.map((hit: (typeof body.clients)[number]) => [
    hit.name,
    distinguishHit(hit, body.clients),
  ]);
  expect(Object.fromEntries(told)).toEqual({
    "Rosa Lind": "born 1987",
    "Rosa LIND": "since 05/06/2024",
    "Rosa Lindt": "",
  });
});
