import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db, rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { CsvSplitter } from "@/lib/transfer/imports/file/csv";
import { exportFailedRows } from "@/lib/transfer/imports/imports";
import { openNote, sealNote } from "@/lib/transfer/imports/notes";
import { runImports } from "@/lib/transfer/imports/run";
import { actorFor, call } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";
import { relationships, workbook, zip } from "@/tests/workbook";

// Files as people and programs make them: each loses no word silently.

let importer: Person;

beforeAll(async () => {
  importer = await makeUser([
    ...(["import", "export", "clients", "forms", "contacts", "shelter", "events", "all-forms"] as const),
    ...(["referral-sources", "ethnicities", "service-codes"] as const),
  ]);
});

// Files may have the same Ids.
beforeEach(() => rows(sql`DELETE FROM import_rows`));

type Note = { about: string; number: number; problem: string };

async function upload(kind: string, raw: BodyInit, fileName = "people.csv") {
  const headers = { "content-type": "text/csv", "file-name": encodeURIComponent(fileName) };
  return call(importer.cookie, "POST", `/api/imports?kind=${kind}`, undefined, { raw, headers });
}

async function run(id: number, dryRun: boolean) {
  const { matches } = (await call(importer.cookie, "GET", `/api/imports/${id}`)).body.import;
  const start = { import: { dryRun, matches, ownerId: null } };
  const { status, body } = await call(importer.cookie, "POST", `/api/imports/${id}/start`, start);
  expect(status, JSON.stringify(body)).toBe(200);
  await runImports(new AbortController().signal);
  return (await call(importer.cookie, "GET", `/api/imports/${id}`)).body.import;
}

/** Tries and then imports a file. Returns the result, whose counts and notes the dry run predicted. */
async function importFile(kind: string, raw: BodyInit) {
  const { status, body } = await upload(kind, raw);
  expect(status, JSON.stringify(body)).toBe(201);
  const { id } = body.import;
  const predicted = await run(id, true);
  const result = await run(id, false);
  const { created, repeated, duplicates, failed } = predicted;
  expect(result).toMatchObject({ status: "done", created, repeated, duplicates, failed });
  const refused = (notes: Note[]) => notes.filter(({ about }) => about !== "similar");
  expect(refused(result.notes)).toEqual(refused(predicted.notes));
  return result;
}

const importFixture = async (kind: string, name: string) =>
  importFile(kind, new Uint8Array(await readFile(`tests/fixtures/imports/${name}`)));

const notesAbout = (about: string, { notes }: { notes: Note[] }) =>
  notes.filter((note) => note.about === about).map(({ number, problem }) => [number, problem]);
const problemsOf = ({ notes }: { notes: Note[] }) => notes.map(({ problem }) => problem);
const refusedRows = (result: { notes: Note[] }) => notesAbout("failed", result);

/** Returns the clients of an import as the API returns them, in the order of the file. */
async function clientsOf({ id }: { id: number }) {
  const imported = await rows<{ record_id: number }>(
    sql`SELECT record_id FROM import_rows WHERE import_id = ${id} ORDER BY record_id`,
  );
  return Promise.all(
    imported.map(
      async ({ record_id: client }) =>
        (await call(importer.cookie, "GET", `/api/clients/${client}`)).body.client,
    ),
  );
}
const namesOf = async (result: { id: number }) =>
  (await clientsOf(result)).map(({ name }: { name: string }) => name);

const failedCsv = async ({ id }: { id: number }): Promise<string> =>
  (await call(importer.cookie, "GET", `/api/imports/${id}/failed.csv`)).body;

describe("a CSV file", () => {
  test("whose headings end in CRLF and rows in LF is read whole", async () => {
    const result = await importFixture("clients", "mixed-line-ends.csv");
    expect(result).toMatchObject({ rows: 4, created: 4, failed: 0 });
    expect(await namesOf(result)).toEqual(["Ann Alder", "Bob Birch", "Cy Cedar", "Di Dogwood"]);
  });

  test.each([
    ["LF, then CRLF", "Id,Name\nm1,Ann\r\nm2,Bob\nm3,Cy\r\n"],
    ["CR, then LF", "Id,Name\rm1,Ann\nm2,Bob\rm3,Cy"],
    ["all three, with blank lines", "Id,Name\r\n\n\rm1,Ann\n\nm2,Bob\r\r\nm3,Cy\n\r"],
    ["a doubled carriage return", "Id,Name\r\r\nm1,Ann\r\r\nm2,Bob\r\r\nm3,Cy\r\r\n"],
  ])("has a row after each line break: %s", async (_, text) => {
    const result = await importFile("clients", text);
    expect(result).toMatchObject({ rows: 3, created: 3, failed: 0 });
    expect(await namesOf(result)).toEqual(["Ann", "Bob", "Cy"]);
  });

  test("keeps line breaks within quotation marks, wherever a piece of the file ends", async () => {
    // The file is read in pieces of 4 KB. Each padding puts another character at the end of a piece.
    for (const padding of Array.from({ length: 12 }, (_, at) => 4_060 + at)) {
      const id = `pad-${padding}`;
      const filler = `${id}-0,"${"x".repeat(200)}",,\r\n`;
      const start = `Id,Name,City,Address\r\n${filler}`;
      const rest = ` ${id}-1 ,"Ann ""Q"" Alder", "Erie","1 Main St"\r\n${id}-2,Bob 5" Birch,York ,\r\n`;
      const text = `${start}${"\n".repeat(padding - start.length)}${rest}`;
      const result = await importFile("clients", text);
      expect(refusedRows(result), id).toEqual([]);
      const [, ann, bob] = await clientsOf(result);
      expect([ann.name, bob.name], id).toEqual(['Ann "Q" Alder', 'Bob 5" Birch']);
      expect(ann.clientBiographicalEntry, id).toMatchObject({ city: "Erie", address: "1 Main St" });
    }
  });

  test.each([
    ["commas", ","],
    ["semicolons", ";"],
    ["tabs", "\t"],
  ])("may have %s, a byte order mark, blank lines first, and line breaks in headings", async (name, mark) => {
    const lines = [
      ['"External\nId"', '"Client\r\nName"', "Address"],
      [`${name}-1`, '"Alder, Ann; A B"', "1 Main St"],
    ];
    const result = await importFile(
      "clients",
      `\uFEFF\n\n${lines.map((line) => line.join(mark)).join("\n")}`,
    );
    expect(result).toMatchObject({ created: 1, failed: 0 });
    expect(await namesOf(result)).toEqual(["Alder, Ann; A B"]);
  });

  test("names its separator in a first line, and keeps zeros by formulas that are a text", async () => {
    const result = await importFixture("clients", "sep-and-text-trick.csv");
    expect(result).toMatchObject({ rows: 1, created: 1 });
    expect(await namesOf(result)).toEqual(["Ann Alder"]);
    expect(await importFile("clients", "External Id,Client Name\n00123,Ann Alder")).toMatchObject({
      repeated: 1,
    });
  });

  test.each([
    ["sep=\t\r\nId\tName\tCity", '="007"\tAda, B\tErie'],
    ['"sep=|"\nId|Name|City', '"=""007"""|Ada, B|Erie'],
    ["\uFEFFSEP=,\rId,Name,City", '="007","=""Ada, B""",="Erie"'],
  ])("may write the same in another way: %j", async (head, row) => {
    const result = await importFile("clients", `${head}\n${row.replace("007", `00${head.length}`)}`);
    expect(result).toMatchObject({ rows: 1, created: 1, failed: 0 });
    const [ada] = await clientsOf(result);
    expect([ada.name, ada.clientBiographicalEntry.city]).toEqual(["B Ada", "Erie"]);
  });

  test("has rows refused that contain U+0000, and others imported", async () => {
    const result = await importFixture("clients", "nul.csv");
    expect(result).toMatchObject({ created: 1, failed: 1 });
    expect(refusedRows(result)).toEqual([[2, expect.stringMatching(/^Client Name must not contain/)]]);
    expect(await namesOf(result)).toEqual(["Bob Birch"]);
  });

  test.each(["forms", "stays"])("of %s may contain U+0000 in the name or Id of a client", async (kind) => {
    const { name } = await makeClient(importer, { name: `Nul ${kind}` });
    const shelter = await db().shelter.create({ data: { name: `Haven ${randomUUID()}`, kind: "In-house" } });
    const [heads, cells] =
      kind === "forms"
        ? ["Form Type,Service On,Service Status", "Service,03/04/2021,Served"]
        : ["Shelter,Entered On,Left On,Adults", `"${shelter.name}",03/04/2021,03/05/2021,1`];
    const text = [
      `Client,Client Id,Advocate Email,${heads}`,
      `${name}\0,,,${cells}`,
      `,nul\0-7,,${cells}`,
      `${name},,a\0b@example.org,${cells}`,
      `${name},,,${cells}`,
    ].join("\n");
    const result = await importFile(kind, text);
    expect(refusedRows(result)).toEqual([
      [2, "Client must not contain control characters"],
      [3, "Client Id must not contain control characters"],
      [4, "Advocate Email must not contain control characters"],
    ]);
    expect(result).toMatchObject({ created: 1 });
  });

  test.each([
    ["UTF-16 without a mark", Buffer.from("Id,Name\r\n1,Ann\r\n", "utf16le")],
    ["UTF-16 in the other order", Buffer.from("Id,Name\r\n1,Ann\r\n", "utf16le").swap16()],
    ["UTF-16 with a mark", Buffer.from("\uFEFFId,Name\r\n1,Ann\r\n", "utf16le")],
    ["nothing but zeros", Buffer.alloc(3_000_000)],
  ])("is refused at once if it is %s", async (_, bytes) => {
    const { status, body } = await upload("clients", new Uint8Array(bytes));
    expect(status).toBe(422);
    expect(body.fields.file).toContain("not UTF-8");
  });

  test("has rows refused that have more cells than there are headings", async () => {
    const result = await importFixture("clients", "more-cells.csv");
    expect(refusedRows(result)).toEqual([[2, "It has 4 cells, but there are 3 headings"]]);
    expect(await namesOf(result)).toEqual(["Bob Birch"]);
    const [, row] = (await failedCsv(result)).split("\r\n");
    expect(row).toBe('1,Alder, Ann,"It has 4 cells, but there are 3 headings",1 Main St');
  });

  test("may have blank cells at the end, under no heading or under a blank one", async () => {
    const text = [
      "Id,Name,,",
      "more-1,Ann,,,,",
      "more-2,Bob, ,  ,\t",
      "more-3,Alder, Cy",
      "more-4",
      "more-5,Di",
    ].join("\n");
    const result = await importFile("clients", text);
    expect(refusedRows(result)).toEqual([
      [4, "It has 3 cells, but there are 2 headings"],
      [5, "Client Name is required"],
    ]);
    expect(await namesOf(result)).toEqual(["Ann", "Bob", "Di"]);
  });

  test("has a row refused that goes on after a closing quotation mark, and the next ones imported", async () => {
    const text = 'Id,Name,City\nq-1,"Ann "the" Alder",Erie\nq-2,Bob "the" Birch,Erie\n';
    const result = await importFile("clients", text);
    expect(refusedRows(result)).toEqual([[2, "It has text after a closing quotation mark"]]);
    expect(await namesOf(result)).toEqual(['Bob "the" Birch']);
  });
});

describe("rows of one file that repeat each other", () => {
  test("with the same External Id are listed if they are equal, and refused if they differ", async () => {
    const result = await importFixture("clients", "same-id.csv");
    expect(result).toMatchObject({ created: 2, repeated: 0, duplicates: 1, failed: 1 });
    expect(await namesOf(result)).toEqual(["Ann Alder", "Cy Cedar"]);
    expect(refusedRows(result)).toEqual([[3, "Row 2 has the same External Id and other values: “7”"]]);
    expect(notesAbout("duplicate", result)).toEqual([[5, "has the same values as row 4"]]);
    // Only earlier imports are "Already imported".
    const again = await importFixture("clients", "same-id.csv");
    expect(again).toMatchObject({ created: 0, repeated: 2, duplicates: 1, failed: 1 });
  });

  test("are recognized more than a chunk apart, and after a refused row with the same Id", async () => {
    const others = Array.from({ length: 120 }, (_, at) => `far-${at},Far ${at},`);
    const lines = [
      "far-a,Ann,Whale",
      "far-a,Ann,",
      "far-b,Bob,",
      ...others,
      "far-b,Bob,",
      "far-b,Ben,",
      others[3],
    ];
    const result = await importFile("clients", ["Id,Name,Gender", ...lines].join("\n"));
    expect(result).toMatchObject({ created: 122, repeated: 0, duplicates: 2, failed: 2 });
    expect(notesAbout("duplicate", result)).toEqual([
      [125, "has the same values as row 4"],
      [127, "has the same values as row 8"],
    ]);
    expect(refusedRows(result).map(([number]) => number)).toEqual([2, 126]);
  });

  test("are several calls if they are contacts, and the n-th of them is recognized in another order", async () => {
    expect(await importFixture("contacts", "calls.csv")).toMatchObject({ created: 4, failed: 0 });
    const again = await importFixture("contacts", "calls-again-newest-first.csv");
    expect(again).toMatchObject({ created: 1, repeated: 4, duplicates: 0, failed: 0 });
  });

  test("are recognized as the calls that an earlier version imported by the numbers of their rows", async () => {
    const text = "Date,Kind,How Many,Minutes\n10/03/2026,Hotline call,1,10\n10/03/2026,Hotline call,1,10";
    const { rowKeys } = await import("@/lib/transfer/imports/records");
    const { id } = await importFile("contacts", text);
    const cells = [
      ["contactKindId", "Hotline call"],
      ["contactedOn", "10/03/2026"],
      ["minutes", "10"],
      ["number", "1"],
    ];
    const imported = await rows<{ record_id: number }>(
      sql`SELECT record_id FROM import_rows WHERE import_id = ${id} ORDER BY record_id`,
    );
    for (const [at, { record_id: record }] of imported.entries()) {
      const [key = ""] = rowKeys("contacts", ["row", ...cells, [String(at + 2)]]);
      await rows(sql`UPDATE import_rows SET key = ${key} WHERE import_id = ${id} AND record_id = ${record}`);
    }
    expect(await importFile("contacts", text)).toMatchObject({ created: 0, repeated: 2 });
  });

  test("without an External Id are imported once in every other kind, and listed", async () => {
    const { name } = await makeClient(importer, { name: "Twice In The File" });
    const shelter = await db().shelter.create({ data: { name: `Haven ${randomUUID()}`, kind: "In-house" } });
    const files = {
      clients: ["Name,City", "Twice Written,Erie", "Twice Written,York"],
      forms: [
        "Client,Form Type,Service On,Service Status",
        `${name},Service,03/04/2021,Served`,
        `${name},Service,03/05/2021,Served`,
      ],
      stays: [
        "Client,Shelter,Entered On,Left On,Adults",
        `${name},"${shelter.name}",03/04/2021,03/05/2021,1`,
        `${name},"${shelter.name}",03/06/2021,03/07/2021,1`,
      ],
      ethnicities: ["Name", "Twicean", "Onceian"],
    };
    for (const [kind, [head, first, second]] of Object.entries(files)) {
      const result = await importFile(kind, [head, first, second, first].join("\n"));
      expect(refusedRows(result), kind).toEqual([]);
      expect(result, kind).toMatchObject({ created: 2, repeated: 0, duplicates: 1, failed: 0 });
      expect(notesAbout("duplicate", result), kind).toEqual([[4, "has the same values as row 2"]]);
      expect(await importFile(kind, [head, second, first, second].join("\n")), kind).toMatchObject({
        created: 0,
        repeated: 2,
        duplicates: 1,
      });
    }
  });

  test("are recognized if an earlier import had their days, numbers and boxes in another format", async () => {
    const { name } = await makeClient(importer, { name: "Other Formats" });
    const heads = {
      clients: "Name,DOB,Phone,Fictitious Name",
      contacts: "Date,Kind,How Many,Minutes",
      forms: "Client,Form Type,Service On,Service Status",
    };
    const written = {
      clients: [
        "Format Ann,4/12/1960,814.555.0100,Yes",
        "Format Ann,1960-04-12,(814) 555-0100,TRUE",
        "Format Ann,04/12/1960 12:00 AM,+1 814 555 0100,y",
      ],
      contacts: [
        "4/3/2026,Hotline call,1,5",
        "2026-04-03,Hotline call,1,5",
        "04/03/2026 0:00,Hotline call,1.0,05",
      ],
      forms: [
        `${name},Service,3/4/2021,Served`,
        `${name},Service,2021-03-04,Served`,
        `${name},Service,03/04/2021,Served`,
      ],
    };
    for (const [kind, head] of Object.entries(heads)) {
      const [first, ...others] = written[kind as keyof typeof written];
      const result = await importFile(kind, `${head}\n${first}`);
      expect(refusedRows(result), kind).toEqual([]);
      for (const row of others)
        expect(await importFile(kind, `${head}\n${row}`), row).toMatchObject({ created: 0, repeated: 1 });
    }
  });

  test.each(["04/12/1960", "4/12/1960", "1960-04-12"])(
    "are recognized if an earlier version imported them with the day as %s",
    async (day) => {
      const { rowKeys } = await import("@/lib/transfer/imports/records");
      const head = "Name,DOB\n";
      const { id } = await importFile("clients", `${head}Former Day,5/6/1961`);
      const cells = [
        ["clientBiographicalEntry.dateOfBirth", day],
        ["name", "Former Day"],
      ];
      const [key = ""] = rowKeys("clients", ["row", ...cells]);
      await rows(sql`UPDATE import_rows SET key = ${key} WHERE import_id = ${id}`);
      const again = await importFile("clients", `${head}Former Day,04-12-1960`);
      expect(again).toMatchObject({ created: 0, repeated: 1 });
    },
  );

  test("of one form's Id further down are refused with the row where it was", async () => {
    const { name } = await makeClient(importer, { name: "Form In Two Places" });
    const row = (id: string) => `${id},${name},Service,03/04/2021,Served`;
    const text = ["Id,Client,Form Type,Service On,Service Status", row("two-1"), row("two-2"), row("two-1")];
    const result = await importFile("forms", text.join("\n"));
    expect(refusedRows(result)).toEqual([
      [4, "The rows of one Id must be together, but this Id is also in row 2"],
    ]);
  });
});

describe("the values of a file", () => {
  test("identify a record without the invisible characters that were copied along", async () => {
    const result = await importFile("clients", "Id,Name\n\u200Binvis-1\u200E,Ann\nin\u00ADvis-1,Ann\n");
    expect(result).toMatchObject({ created: 1, duplicates: 1, failed: 0 });
    expect(await importFile("clients", "Id,Name\ninvis-1,Ann")).toMatchObject({ repeated: 1 });
  });

  test("named as the forms export names the client identify clients", async () => {
    const { body } = await upload(
      "clients",
      new Uint8Array(await readFile("tests/fixtures/imports/client-id.csv")),
    );
    expect(body.import.matches).toEqual(["externalId", "name"]);
    expect(await importFixture("clients", "client-id.csv")).toMatchObject({ created: 2 });
    expect(await importFixture("clients", "client-id.csv")).toMatchObject({ created: 0, repeated: 2 });
  });

  test("may have any dash, and midnight after a day", async () => {
    const result = await importFixture("clients", "dashes-and-zero-times.csv");
    expect(refusedRows(result)).toEqual([]);
    const people = await clientsOf(result);
    expect(people.map(({ clientBiographicalEntry: one }) => one.dateOfBirth)).toEqual([
      "2004-04-12",
      "1960-04-12",
    ]);
  });

  test("find a client whose name has only symbols by exactly this name", async () => {
    await makeClient(importer, { name: "?‽?" });
    const shelter = await db().shelter.create({ data: { name: "Symbol House", kind: "In-house" } });
    const names = ["-", "***", "🕊️", "?‽", "?‽?"];
    const stays = ["Client,Shelter,Entered On", ...names.map((name) => `${name},${shelter.name},03/04/2021`)];
    expect(refusedRows(await importFile("stays", stays.join("\n")))).toEqual(
      names.slice(0, -1).map((_, at) => [at + 2, expect.stringContaining("no client has this name")]),
    );
    const forms = names.map((name) => `${name},Service,03/04/2021,Served`);
    const result = await importFile(
      "forms",
      ["Client,Form Type,Service On,Service Status", ...forms].join("\n"),
    );
    for (const [number, problem] of refusedRows(result))
      expect(String(problem).includes("no client has this name")).toBe(number !== 6);
  });

  test("name the oldest of several records of a list whose names differ only in case", async () => {
    await db().ethnicity.createMany({ data: [{ name: "Straßenvolk" }, { name: "STRASSENVOLK" }] });
    // A changed row is no longer the first that the database reads.
    await rows(sql`UPDATE ethnicities SET name = name WHERE name = 'Straßenvolk'`);
    const spellings = ["STRASSENVOLK", "strassenvolk", "Straßenvolk"];
    const text = ["Name,Ethnicity", ...spellings.map((spelling, at) => `Oldest ${at},${spelling}`)];
    const people = await clientsOf(await importFile("clients", text.join("\n")));
    const oldest = await db().ethnicity.findFirstOrThrow({
      where: { name: { in: spellings } },
      orderBy: { id: "asc" },
    });
    expect(people.map(({ clientDemographicEntry: one }) => one.ethnicityId)).toEqual(
      spellings.map(() => oldest.id),
    );
  });

  test("name records of lists by folded texts", async () => {
    await db().ethnicity.createMany({ data: [{ name: "Łužica–Sørby" }, { name: "Straße" }] });
    const text = ["Name,Ethnicity", "Fold A,LUZICA-SORBY", "Fold B,strasse", "Fold C,Strase"];
    const result = await importFile("clients", text.join("\n"));
    expect(refusedRows(result)).toEqual([[4, expect.stringContaining("Strase")]]);
    const ids = (await clientsOf(result)).map(({ clientDemographicEntry: one }) => one.ethnicityId);
    const found = await db().ethnicity.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } });
    expect(found.map(({ name }) => name)).toEqual(["Łužica–Sørby", "Straße"]);
  });

  test.each([
    ["2004-04-12T00:00:00", true],
    ["2004-04-12T00:00:00.000Z", true],
    ["2004-04-12 00:00:00+00:00", true],
    ["2004-04-12 00:00", true],
    ["4/12/2004 0:00", true],
    ["04/12/2004  12:00 am", true],
    ["04/12/2004 12:00:00.000 AM", true],
    ["04/12/2004 12:00:00 PM", false],
    ["2004-04-12 00:00:01", false],
    ["04/12/2004 12:00", false],
    ["04/12/2004 8:00 AM", false],
  ])("have a day in %s: %s", async (text, isDay) => {
    const result = await importFile("clients", `Name,DOB\nMidnight ${text},${text}`);
    if (isDay) {
      const [{ clientBiographicalEntry }] = await clientsOf(result);
      expect(clientBiographicalEntry.dateOfBirth).toBe("2004-04-12");
    } else
      expect(refusedRows(result)).toEqual([
        [2, expect.stringContaining(`Date of Birth: ${text} is not a date`)],
      ]);
  });

  test("are minutes as on the screens, and others are refused by name", async () => {
    const kind = await db().contactKind.findFirstOrThrow();
    const given = ["75", "1:15", "1h15", "24:00", "1.000", "$75", "1.5", "1,200", "1:75"];
    const text = ["Date,Kind,Minutes", ...given.map((one) => `03/04/2021,${kind.name},"${one}"`)];
    const result = await importFile("contacts", text.join("\n"));
    expect(refusedRows(result)).toEqual(
      given.slice(4).map((one, at) => [at + 6, `Minutes must be minutes such as 75 or 1:15: “${one}”`]),
    );
    const made = await rows<{ minutes: number }>(
      sql`SELECT c.minutes FROM contacts c JOIN import_rows r ON r.record_id = c.id
       WHERE r.kind = 'contacts' AND r.import_id = ${result.id} ORDER BY c.id`,
    );
    expect(made.map(({ minutes }) => minutes)).toEqual([75, 75, 75, 1440]);
  });

  test("of any length are refused in a short sentence", async () => {
    const long = "T".repeat(300_000);
    const result = await importFile("clients", `Name,DOB,State\nLong,${long},PA\nFar,,${long}`);
    const cut = `${"T".repeat(60)}…`;
    expect(refusedRows(result)).toEqual([
      [2, expect.stringMatching(`^Date of Birth: ${cut} is not a date`)],
      [3, expect.stringMatching(`^State: ${cut} is not a US state`)],
    ]);
  });

  test("are named when they are refused", async () => {
    const text = [
      "Name,Safe to Call,Gender,Ethnicity,Number of Children,DOB,State",
      "Ann,perhaps,Whale,Martian,12 5,03/04/2999,ZZ",
      `${"x".repeat(300)},,,,,,`,
    ].join("\n");
    const [first, second] = problemsOf(await importFile("clients", text));
    for (const value of ["perhaps", "Whale", "Martian", "03/04/2999"]) expect(first).toContain(`“${value}”`);
    expect(first).toContain("ZZ is not a US state");
    expect(second).toMatch(/^Client Name must be at most 255 characters: “x{60}…”$/);
    const stays =
      "Client,Client Id,Shelter,Entered On,Left On\nNobody At All,,Atlantis,2021-03-04,\n,no-7,,,";
    const [byName, byId] = problemsOf(await importFile("stays", stays));
    expect(byName).toContain("no client has this name: “Nobody At All”");
    expect(byName).toContain("Shelter is not in the list: “Atlantis”");
    expect(byName).not.toContain("Shelter is required");
    expect(byId).toContain("with the Client Id “no-7”");
    expect(byId).toContain("Shelter is required");
  });

  test("with several choices may end with a separator, and each refused one is named", async () => {
    const codes = await db().formType.findMany({ take: 2, orderBy: { id: "asc" } });
    const [first = "", second = ""] = codes.map(({ name }) => name);
    const row = (code: string, types: string) => `${code},Several,"${types}"`;
    const text = [
      "Code,Description,Form Type",
      row("SEVERAL-1", `${first}; ${second};`),
      row("SEVERAL-2", `;${first};;\r\n${second};\n`),
      row("SEVERAL-3", `${first};Whale;`),
    ].join("\n");
    const result = await importFile("service_codes", text);
    expect(refusedRows(result)).toEqual([[4, "Form Type is not in the list: “Whale”"]]);
    const made = await db().serviceCode.findMany({
      where: { code: { startsWith: "SEVERAL" } },
      include: { formTypes: { include: { formType: true } } },
      orderBy: { code: "asc" },
    });
    for (const { formTypes } of made)
      expect(formTypes.map(({ formType }) => formType.name).sort()).toEqual([first, second].sort());
    expect(made).toHaveLength(2);
  });

  test("that lack a reason are refused for the reason, not for the status", async () => {
    const { name } = await makeClient(importer, { name: "Partly Served" });
    const text = `Client,Form Type,Service On,Service Status\n${name},Service,03/04/2021,Partially Served`;
    expect(refusedRows(await importFile("forms", text))).toEqual([
      [2, "A reason is required unless the client was served"],
    ]);
  });
});

describe("a sheet as people keep it", () => {
  type Decision = { key: string; [name: string]: unknown };
  const race = "clientDemographicEntry.ethnicityId";
  const safe = "clientBiographicalEntry.safeToCall";
  const born = "clientBiographicalEntry.dateOfBirth";
  const idOf = async (name: string) =>
    String((await db().ethnicity.findFirstOrThrow({ where: { name } })).id);
  const rule = (key: string, readings: Record<string, string>) => ({
    key,
    values: Object.entries(readings).map(([text, becomes]) => ({ text, becomes })),
  });
  const nameOf = (key: string) => key.split(".").at(-1);

  async function start(id: number, dryRun: boolean, columns: Decision[], asWritten = false) {
    const { matches } = (await call(importer.cookie, "GET", `/api/imports/${id}`)).body.import;
    const body = { import: { dryRun, matches, ownerId: null, mapping: { asWritten, columns } } };
    return call(importer.cookie, "POST", `/api/imports/${id}/start`, body);
  }

  async function importDecided(kind: string, text: BodyInit, columns: Decision[], asWritten = false) {
    const { id } = (await upload(kind, text)).body.import;
    for (const dryRun of [true, false]) {
      const { status, body } = await start(id, dryRun, columns, asWritten);
      expect(status, JSON.stringify(body)).toBe(200);
      await runImports(new AbortController().signal);
    }
    return (await call(importer.cookie, "GET", `/api/imports/${id}`)).body.import;
  }

  const splitNames = async () => new Uint8Array(await readFile("tests/fixtures/imports/split-names.csv"));

  test("with names in parts, codes, and days of two orders goes in as a whole after four answers", async () => {
    const { body } = await upload("clients", await splitNames());
    const { id, matches, columns } = body.import;
    expect(matches.map(nameOf)).toEqual([
      ...["last", "first", "middle", "gender", "ethnicityId", "dateOfBirth", "safeToCall"],
      ...["postalCode", "phoneNumber", "state"],
    ]);
    expect(columns[6].values).toEqual([
      { text: "Y", count: 1 },
      { text: "N", count: 1 },
      { text: "x", count: 1 },
    ]);
    expect(columns[5]).toMatchObject({ dayFirst: { count: 1, samples: ["25/04/1990"] } });
    const open = await start(id, true, []);
    expect(open).toMatchObject({ status: 422 });
    expect(JSON.stringify(open.body)).toContain("Choose the order of the dates in “DOB”");

    const [white, black, hispanic] = await Promise.all(
      ["White", "Black or African American", "Hispanic or Latino"].map(idOf),
    );
    const races = { W: white, "African American": black, AA: black, Hispanic: hispanic };
    const decisions = [
      rule(race, races as Record<string, string>),
      rule(safe, { x: "true" }),
      { key: born, order: "month" },
    ];
    const result = await importDecided("clients", await splitNames(), decisions);
    expect(result).toMatchObject({ status: "done", created: 4, failed: 0 });
    const people = await clientsOf(result);
    expect(people.map(({ name }) => name)).toEqual(["Ann Q Alder", "Bob Birch", "Cy Cedar", "Di Dogwood"]);
    expect(people.map(({ clientDemographicEntry: one }) => [one.gender, String(one.ethnicityId)])).toEqual([
      ["Female", white],
      ["Male", black],
      ["Female", hispanic],
      ["Unknown", black],
    ]);
    expect(
      people.map(({ clientBiographicalEntry: one }) => [
        one.dateOfBirth,
        one.safeToCall,
        one.postalCode,
        one.phoneNumber,
        one.state,
      ]),
    ).toEqual([
      ["1988-04-12", true, "07102", "(717) 555-0101", "PA"],
      ["1979-06-30", false, "07102", "(717) 555-0102", "PA"],
      ["1990-04-25", true, "", "", "PA"],
      ["1991-04-05", false, "17101", "(717) 555-0104 x12", "PA"],
    ]);
    expect(await importDecided("clients", await splitNames(), decisions)).toMatchObject({
      created: 0,
      repeated: 4,
    });
  });

  test("rejects the rows of values that were not decided, and groups them by problem", async () => {
    const result = await importDecided("clients", await splitNames(), [{ key: born, order: "day" }]);
    expect(result).toMatchObject({ created: 0, failed: 4 });
    expect(result.problems).toEqual([
      { problem: "Client Demographics: Ethnicity is not in the list", count: 4, rows: [2, 3, 4, 5] },
      { problem: "Client Biographical: Safe to Call must be Yes or No", count: 1, rows: [4] },
    ]);
    expect((await failedCsv(result)).split("\r\n")[0]).toBe(
      "Last Name,First Name,MI,Sex,Race,DOB,OK to call?,ZIP,Phone,ST,Reason",
    );
  });

  test("may leave the refused values of a column blank, all at once", async () => {
    const text = "Name,DOB,Race\nFix A,13/40/1984,W\nFix B,01/02/2999,White\nFix C,01/02/1990,White";
    const forgive = (...keys: string[]) => keys.map((key) => ({ key, blankRefused: true }));
    const result = await importDecided("clients", text, forgive(born, race));
    expect(result).toMatchObject({ created: 3, failed: 0 });
    const people = await clientsOf(result);
    expect(people.map(({ clientBiographicalEntry: one }) => one?.dateOfBirth ?? null)).toEqual([
      null,
      null,
      "1990-01-02",
    ]);
  });

  test.each([
    ["Name,Do not call\nNeg A,no", "", undefined],
    ["Name,Safe to Call\nNeg B,no", "safeToCall", false],
    ["Name,OK to call\nNeg C,yes", "safeToCall", true],
    ["Name,OK to call\nNeg D,", "safeToCall", undefined],
  ])("never turns a refusal of calls around: %j", async (text, match, safeToCall) => {
    const { body } = await upload("clients", text);
    expect(nameOf(body.import.matches[1])).toBe(match);
    const [client] = await clientsOf(await importFile("clients", text));
    expect(client.clientBiographicalEntry?.safeToCall ?? undefined).toBe(safeToCall);
  });

  test("that calls a column a refusal cannot be matched to Safe to Call by hand", async () => {
    const { id } = (await upload("clients", "Name,Do not call\nNeg E,no")).body.import;
    const body = { import: { dryRun: false, matches: ["name", safe], ownerId: null } };
    const { status, body: refused } = await call(importer.cookie, "POST", `/api/imports/${id}/start`, body);
    expect(status).toBe(422);
    expect(JSON.stringify(refused)).toContain("“Do not call” cannot be Safe to Call");
  });

  test("asks for the century of two-digit years, and reads numbers of days", async () => {
    const text = "Name,DOB\nShort A,4/12/88\nShort B,4/12/05\nShort C,32245";
    const { id } = (await upload("clients", text)).body.import;
    expect((await start(id, true, [])).status).toBe(422);
    const days = async (decision: object) =>
      (await clientsOf(await importDecided("clients", text, [{ key: born, ...decision }]))).map(
        ({ clientBiographicalEntry: one }) => one.dateOfBirth,
      );
    expect(await days({ century: "past" })).toEqual(["1988-04-12", "2005-04-12", "1988-04-12"]);
    await rows(sql`DELETE FROM import_rows`);
    expect(await days({ century: "1900", since1904: true })).toEqual([
      "1988-04-12",
      "1905-04-12",
      "1992-04-13",
    ]);
  });

  test("has names that begin with the last name turned, unless the importer says otherwise", async () => {
    const text = 'Name,Address\n"Turner, Tess","1 Main St\nApt 2"\n"Plain Name",None\n';
    expect(await namesOf(await importFile("clients", text))).toEqual(["Tess Turner", "Plain Name"]);
    const [first, second] = await clientsOf(await importDecided("clients", text, [], true));
    expect(first).toMatchObject({ name: "Turner, Tess" });
    expect(second.clientBiographicalEntry.address).toBe("None");
  });

  test("joins the lines of an address, and leaves words for nothing blank only where they are no value", async () => {
    const text =
      'Name,House Number,Street Name,City,Zip,Gender\nJoin A,12,Main St,n/a,601,unknown\n"None","","1 Elm St\nRear",Erie,K1A 0B6,F\n';
    const people = await clientsOf(await importFile("clients", text));
    expect(
      people.map(({ name, clientBiographicalEntry: one }) => [name, one.address, one.city, one.postalCode]),
    ).toEqual([
      ["Join A", "12 Main St", "", "00601"],
      ["None", "1 Elm St, Rear", "Erie", "K1A 0B6"],
    ]);
  });

  test.each([
    ["a title", "Client list 2026\n"],
    ["a title, a date, and blank lines", "\nSafe Harbor of Allegheny County;;\nPrinted;11/03/2026;\n\n\n"],
    ["a long instruction", `${"Please write plainly. ".repeat(20)}\n\n`],
  ])("may have %s above its headings, which are not imported", async (_, above) => {
    const { body } = await upload(
      "clients",
      `${above}Last Name;First Name;City\nTitle;Ann;Erie\nTitle;Bob;York\n`,
    );
    const lines = above.split("\n").filter((line) => line.trim() !== "");
    expect(body.import).toMatchObject({
      rows: 2,
      headings: ["Last Name", "First Name", "City"],
      headingRow: above.split("\n").length,
      above: lines.map((line) => expect.stringContaining(line.split(";")[0]?.slice(0, 40) ?? "")),
    });
    const id = body.import.id;
    await run(id, true);
    const result = await run(id, false);
    expect(result).toMatchObject({ created: 2, failed: 0 });
    expect(await namesOf(result)).toEqual(["Ann Title", "Bob Title"]);
  });

  const chooseHeadings = (id: number, headingRow: number) =>
    call(importer.cookie, "PUT", `/api/imports/${id}/headings`, { import: { headingRow } });

  test("takes another row for its headings without a new upload, and suggests the fields again", async () => {
    // Two headings of the title are known, so the row of headings is guessed wrongly.
    const { body } = await upload(
      "clients",
      "City,Phone,,\n\nFamily,Given,Town,\nRow,Ann,Erie,\nRow,Bob,York,\n",
    );
    const { id } = body.import;
    expect(body.import).toMatchObject({
      headingRow: 1,
      rows: 3,
      firstRows: [1, 3, 4, 5].map((number) => ({ number })),
    });
    const { status, body: chosen } = await chooseHeadings(id, 3);
    expect(status, JSON.stringify(chosen)).toBe(200);
    expect(chosen.import).toMatchObject({
      status: "waiting",
      headingRow: 3,
      headings: ["Family", "Given", "Town"],
      above: ["City, Phone"],
      rows: 2,
      columns: [{ samples: ["Row"] }, { samples: ["Ann", "Bob"] }, { samples: ["Erie", "York"] }],
    });
    const matches = ["name.last", "name.first", "clientBiographicalEntry.city"];
    const start = (dryRun: boolean) =>
      call(importer.cookie, "POST", `/api/imports/${id}/start`, {
        import: { dryRun, matches, ownerId: null },
      });
    expect((await start(true)).status).toBe(200);
    await runImports(new AbortController().signal);
    // The result of a check is of the former headings.
    expect((await chooseHeadings(id, 4)).body.import).toMatchObject({
      status: "waiting",
      created: 0,
      rows: 1,
    });
    expect((await chooseHeadings(id, 3)).body.import).toMatchObject({ rows: 2, headingRow: 3 });
    expect((await start(false)).status).toBe(200);
    await runImports(new AbortController().signal);
    expect(await namesOf({ id })).toEqual(["Ann Row", "Bob Row"]);
    expect((await chooseHeadings(id, 1)).status).toBe(409);
  });

  test.each(["check", "import"])(
    "refuses the %s of fields that were matched to other headings, and changes nothing",
    async (what) => {
      const text = "City,Phone,,\n\nFamily,Given,Town,\nStale,Ann,Erie,\nStale,Bob,York,\n";
      const { id } = (await upload("clients", text)).body.import;
      const matches = ["name.last", "name.first", "clientBiographicalEntry.city"];
      await chooseHeadings(id, 3);
      const start = (headingRow: number) =>
        call(importer.cookie, "POST", `/api/imports/${id}/start`, {
          import: { dryRun: what === "check", matches, ownerId: null, headingRow },
        });
      const { status, body } = await start(4);
      expect([status, body.code, body.error]).toEqual([
        409,
        "conflict_version",
        expect.stringContaining("Other headings were chosen"),
      ]);
      expect((await call(importer.cookie, "GET", `/api/imports/${id}`)).body.import).toMatchObject({
        status: "waiting",
        headingRow: 3,
        rows: 2,
      });
      expect((await start(3)).status).toBe(200);
    },
  );

  test("may have no headings, and then its first row is imported too", async () => {
    const { body } = await upload("clients", "Headless Ann,16501\nHeadless Bob,16502,York\n");
    const { id } = body.import;
    const { body: chosen } = await chooseHeadings(id, 0);
    expect(chosen.import).toMatchObject({
      headingRow: 0,
      headings: ["Column 1", "Column 2", "Column 3"],
      above: [],
      rows: 2,
      matches: ["", "", ""],
    });
    const matches = ["name", "clientBiographicalEntry.postalCode", "clientBiographicalEntry.city"];
    const start = { import: { dryRun: false, matches, ownerId: null } };
    expect((await call(importer.cookie, "POST", `/api/imports/${id}/start`, start)).status).toBe(200);
    await runImports(new AbortController().signal);
    expect(await namesOf({ id })).toEqual(["Headless Ann", "Headless Bob"]);
  });

  test("deletes the rows above its headings when the import ends", async () => {
    const { id } = (await upload("clients", "Kept Ann,16501\nName,Zip\nBelow Bob,16502\n")).body.import;
    const { body } = await chooseHeadings(id, 2);
    expect(body.import).toMatchObject({ above: ["Kept Ann, 16501"], rows: 1 });
    const stored = async () => {
      const notes = await rows<{ sealed: Buffer }>(
        sql`SELECT sealed FROM import_notes WHERE import_id = ${id}`,
      );
      return JSON.stringify(notes.map(({ sealed }) => openNote(id, sealed)));
    };
    expect(await stored()).toContain("Kept Ann");
    expect(await namesOf(await run(id, false))).toEqual(["Below Bob"]);
    expect(await stored()).not.toContain("Kept Ann");
  });

  test("refuses headings that are in no row, in none of the first rows, or in the last row", async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `Far ${at}`);
    const long = (await upload("clients", `Name\n${lines.join("\n")}`)).body.import;
    expect(long.firstRows).toHaveLength(20);
    for (const [headingRow, words] of [
      [25, "must be in one of the first rows"],
      [99, "must be in one of the first rows"],
    ] as const) {
      const { status, body } = await chooseHeadings(long.id, headingRow);
      expect([status, JSON.stringify(body.fields)]).toEqual([422, expect.stringContaining(words)]);
    }
    const short = (await upload("clients", "Name\nShort Ann")).body.import;
    const { status, body } = await chooseHeadings(short.id, 2);
    expect([status, body.error]).toEqual([422, "The file has no rows below its headings."]);
    expect((await call(importer.cookie, "GET", `/api/imports/${short.id}`)).body.import).toMatchObject({
      headingRow: 1,
      rows: 1,
    });
  });

  test("says which values it leaves blank, with their fields and rows, before and after the import", async () => {
    const text =
      "Name,DOB,Race,City,Zip\nVoid A,n/a,unk,none,7102\nVoid B,unknown,White,Erie,16501\nVoid C,N/A,W,-,16501\nVoid D,13/40/1984,White,,\n,n/a,,,\n";
    const decisions = [rule(race, { W: "" }), { key: born, blankRefused: true }];
    const { id } = (await upload("clients", text)).body.import;
    const expected = [
      { label: "Date of Birth", text: "n/a", count: 2, rows: [2, 4] },
      { label: "Ethnicity", text: "unk", count: 1, rows: [2] },
      { label: "City", text: "none", count: 1, rows: [2] },
      { label: "Date of Birth", text: "unknown", count: 1, rows: [3] },
      { label: "Ethnicity", text: "W", count: 1, rows: [4] },
      { label: "City", text: "-", count: 1, rows: [4] },
      { label: "Date of Birth", text: "13/40/1984", count: 1, rows: [5] },
    ];
    for (const dryRun of [true, false]) {
      expect((await start(id, dryRun, decisions)).status).toBe(200);
      await runImports(new AbortController().signal);
      const { body } = await call(importer.cookie, "GET", `/api/imports/${id}`);
      expect(body.import).toMatchObject({ created: 4, failed: 1 });
      const fieldOf = (label: string) => label.slice(label.indexOf(": ") + 1).trim();
      expect(
        body.import.blanks.map((one: { label: string }) => ({ ...one, label: fieldOf(one.label) })),
      ).toEqual(expected);
    }
  });

  test("adds values to a list for those who may, only when it is imported", async () => {
    const name = `Roma ${randomUUID()}`;
    const text = `Name,Race\nAdd A,${name}\nAdd B,${name.toUpperCase()}`;
    const { id } = (await upload("clients", text)).body.import;
    expect((await start(id, true, [rule(race, { [name]: "+" })])).status).toBe(200);
    await runImports(new AbortController().signal);
    expect((await call(importer.cookie, "GET", `/api/imports/${id}`)).body.import).toMatchObject({
      created: 2,
    });
    expect(await db().ethnicity.findMany({ where: { name } })).toEqual([]);
    const result = await importDecided("clients", text, [rule(race, { [name]: "+" })]);
    const [added] = await db().ethnicity.findMany({ where: { name } });
    expect((await clientsOf(result)).map(({ clientDemographicEntry: one }) => one.ethnicityId)).toEqual([
      added?.id,
      added?.id,
    ]);

    const plain = await makeUser(["import", "clients"]);
    const sent = await call(plain.cookie, "POST", "/api/imports?kind=clients", undefined, {
      raw: text,
      headers: { "content-type": "text/csv" },
    });
    const { matches } = sent.body.import;
    const mapping = { asWritten: false, columns: [rule(race, { [name]: "+" })] };
    const body = { import: { dryRun: true, matches, ownerId: null, mapping } };
    expect((await call(plain.cookie, "POST", `/api/imports/${sent.body.import.id}/start`, body)).status).toBe(
      422,
    );
  });

  test("is suggested the fields and decisions of the last file with the same headings", async () => {
    const white = await idOf("White");
    const heading = `Origin ${randomUUID()}`;
    const text = `Name,${heading},OK to call\nKnown A,W,x`;
    const { id } = (await upload("clients", text)).body.import;
    const columns = [rule(race, { W: white, Q: white }), rule(safe, { x: "true" })];
    const body = {
      import: {
        dryRun: false,
        matches: ["name", race, safe],
        ownerId: null,
        mapping: { asWritten: false, columns },
      },
    };
    await call(importer.cookie, "POST", `/api/imports/${id}/start`, body);
    await runImports(new AbortController().signal);
    const next = (await upload("clients", `OK to call,Name,${heading}\nx,Known B,w\n,Known C,Z`)).body.import;
    expect(next.matches).toEqual([safe, "name", race]);
    expect(next.mapping.columns).toEqual(
      expect.arrayContaining([rule(race, { W: white }), rule(safe, { x: "true" })]),
    );
    // Another heading may mean the opposite.
    const other = (await upload("clients", "Name,Safe to call?\nKnown D,x")).body.import;
    expect(other.mapping.columns.filter(({ key }: Decision) => key === safe)).toEqual([]);
    // Decisions do not follow a field to another column.
    const moved = (await upload("clients", "OK to call,Name,Call OK\nx,Known E,x")).body.import;
    expect(moved.matches).toEqual([safe, "name", ""]);
    const swapped = { import: { dryRun: true, matches: ["", "name", safe], ownerId: null } };
    await call(importer.cookie, "POST", `/api/imports/${moved.id}/start`, swapped);
    await runImports(new AbortController().signal);
    const tried = (await call(importer.cookie, "GET", `/api/imports/${moved.id}`)).body.import;
    expect(refusedRows(tried)).toEqual([[2, expect.stringContaining("Safe to Call must be Yes or No")]]);
  });

  test("has phone numbers in any writing, stored as on the screens", async () => {
    const numbers = {
      "610.555.0111": "(610) 555-0111",
      "6105550112": "(610) 555-0112",
      "+1 610 555 0113": "(610) 555-0113",
      "1-610-555-0114": "(610) 555-0114",
      "(610)555-0115 ext. 3": "(610) 555-0115 x3",
      "555-0116": "555-0116",
      "610-555-0117 (cell)": "610-555-0117 (cell)",
      none: "",
      "N/A": "",
    };
    const text = [
      "Name,Cell Phone",
      ...Object.keys(numbers).map((number, at) => `Phone ${at},${number}`),
    ].join("\n");
    const people = await clientsOf(await importFile("clients", text));
    expect(people.map(({ clientBiographicalEntry: one }) => one?.phoneNumber ?? "")).toEqual(
      Object.values(numbers),
    );
  });

  test("finds clients of past stays by their names in parts", async () => {
    await makeClient(importer, { name: "Parted Person" });
    const shelter = await db().shelter.create({ data: { name: "Part House", kind: "In-house" } });
    const text = `First Name,Last Name,Shelter,Check-in,Check-out\nParted,Person,${shelter.name},3/4/2021,3/9/2021`;
    expect(await importFile("stays", text)).toMatchObject({ created: 1, failed: 0 });
  });
});

describe("a workbook", () => {
  const importBook = async (file: Buffer) => importFile("clients", new Uint8Array(file));
  const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const number = (at: string, value: string, style = 0) => `<c r="${at}" s="${style}"><v>${value}</v></c>`;
  const row = (at: number, ...cells: string[]) => `<row r="${at}">${cells.join("")}</row>`;
  const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
  const heads = (...labels: string[]) =>
    row(1, ...labels.map((label, at) => text(`${"ABCDEFG"[at]}1`, label)));
  const onePerson = (name: string) => sheet(heads("Name") + row(2, text("A2", name)));
  const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

  test("shows numbers with the zeros and hyphens of their formats", async () => {
    const codes = [
      "00000",
      "00000-0000",
      "00000\\-0000",
      "000\\-00\\-0000",
      "0000000;@",
      "[&lt;=99999]00000;00000\\-0000",
    ];
    const styles = `<styleSheet><numFmts>${codes
      .map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`)
      .join("")}</numFmts><cellXfs><xf numFmtId="0"/>${codes
      .map((_, at) => `<xf numFmtId="${170 + at}"/>`)
      .join("")}</cellXfs></styleSheet>`;
    const zips = [
      [1, "7102", "07102"],
      [2, "71020001", "07102-0001"],
      [3, "171010001", "17101-0001"],
      [6, "7102", "07102"],
      [6, "71020001", "07102-0001"],
      [0, "17101.0", "17101"],
      [0, "1.7101E4", "17101"],
    ] as const;
    const rows = zips.map(([style, value], at) =>
      row(
        at + 2,
        number(`A${at + 2}`, String(at), 5),
        text(`B${at + 2}`, `Zip ${at}`),
        number(`C${at + 2}`, value, style),
      ),
    );
    const result = await importBook(
      workbook(heads("Id", "Name", "ZIP") + rows.join(""), [], { "xl/styles.xml": styles }),
    );
    expect(refusedRows(result)).toEqual([]);
    const people = await clientsOf(result);
    expect(people.map(({ clientBiographicalEntry: one }) => one.postalCode)).toEqual(
      zips.map(([, , shown]) => shown),
    );
    expect(await importFile("clients", "Id,Name\n0000003,Zip 3")).toMatchObject({ repeated: 1 });
  });

  const withFormats = (...codes: string[]) => ({
    "xl/styles.xml": `<styleSheet><numFmts>${codes
      .map((code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${code}"/>`)
      .join("")}</numFmts><cellXfs><xf numFmtId="0"/>${codes
      .map((_, at) => `<xf numFmtId="${170 + at}"/>`)
      .join("")}</cellXfs></styleSheet>`,
  });

  test.each([
    ["30000.9375", "1982-02-18 22:30"],
    ["30000.5", "1982-02-18 12:00"],
    ["30000.0001", "1982-02-18 00:00:09"],
    ["30000", null],
    ["30000.000000001", null],
  ])("has the day %s with a time of day refused: %s", async (stored, refused) => {
    const cells = row(2, text("A2", `Born ${stored}`), number("B2", stored, 1));
    const result = await importBook(
      workbook(heads("Name", "DOB") + cells, [], withFormats("mm/dd/yyyy hh:mm")),
    );
    if (refused === null) {
      const [{ clientBiographicalEntry }] = await clientsOf(result);
      expect(clientBiographicalEntry.dateOfBirth).toBe("1982-02-18");
    } else
      expect(refusedRows(result)).toEqual([
        [2, expect.stringContaining(`Date of Birth: ${refused} is not a date`)],
      ]);
  });

  test("never makes two Ids of 16 or more digits equal, and refuses those that lost digits", async () => {
    const ids = ["1234567890123456", "1234567890123457", "12345678901234567890", "12345678901234567891"];
    const lost = ["1234567890123450", "1.23456789012345E15", "12345678901234500000"];
    const cells = [
      ...ids.map((id, at) => [number(`A${at + 2}`, id), `Exact ${id}`] as const),
      ...ids.map((id, at) => [text(`A${at + 6}`, `${id}0`), `Text ${id}`] as const),
      ...lost.map((id, at) => [number(`A${at + 10}`, id), `Lost ${id}`] as const),
    ].map(([id, name], at) => row(at + 2, id, text(`B${at + 2}`, name)));
    const result = await importBook(workbook(heads("Id", "Name") + cells.join(""), []));
    expect(result).toMatchObject({ created: 8, duplicates: 0, failed: 3 });
    expect(refusedRows(result)).toEqual(
      [10, 11, 12].map((at) => [at, expect.stringMatching(/^External Id lost digits .*1\.2345/)]),
    );
    const again = ids.map((id) => `${id},Exact ${id}\n${id}0,Text ${id}`);
    expect(await importFile("clients", ["Id,Name", ...again].join("\n"))).toMatchObject({ repeated: 8 });
    const stays = ["Client Id,Shelter,Entered On", "1.23457E+15,Nowhere,03/04/2021"];
    expect(refusedRows(await importFile("stays", stays.join("\n")))).toEqual([
      [2, expect.stringMatching(/^Client Id lost digits/)],
    ]);
  });

  test.each(["#N/A", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#SPILL!", "Err:502"])(
    "has a row refused for the error %s in an imported column",
    async (error) => {
      const cell = (at: string) => `<c r="${at}" t="e"><v>${error}</v></c>`;
      const rows = [
        row(2, cell("A2"), text("B2", "Erie")),
        row(3, text("A3", `Nemo ${error}`), cell("B3")),
        row(4, text("A4", `Whole ${error}`), text("B4", "Erie"), cell("C4")),
      ];
      const result = await importBook(workbook(heads("Name", "City", "Not a Field") + rows.join(""), []));
      const shown = error.startsWith("#") ? error : "#VALUE!";
      expect(refusedRows(result)).toEqual([
        [2, `Client Name is an error of the spreadsheet: “${shown}”`],
        [3, `Client Biographical: City is an error of the spreadsheet: “${shown}”`],
      ]);
      expect(await namesOf(result)).toEqual([`Whole ${error}`]);
      const csv = await importFile("clients", `Name\n${shown}\n#Nadia`);
      expect(refusedRows(csv)).toEqual([[2, `Client Name is an error of the spreadsheet: “${shown}”`]]);
    },
  );

  test.each([
    ["[h]:mm", "1", 1440],
    ["[h]:mm", "0.05208333333333", 75],
    ["h:mm", "0.05208333333333", 75],
    ["[mm]:ss", "0.05208333333333", 75],
    ["[h]:mm:ss", "0.0521", "01:15:01"],
    ["General", "75", 75],
    ["0", "75.0", 75],
    ["General", "1.5", "1.5"],
  ])("has the minutes of %s cells with %s: %s", async (code, stored, minutes) => {
    const kind = await db().contactKind.findFirstOrThrow();
    const cells = row(2, number("A2", "44259", 1), text("B2", kind.name), number("C2", stored, 2));
    const file = workbook(heads("Date", "Kind", "Minutes") + cells, [], withFormats("mm/dd/yyyy", code));
    const result = await importFile("contacts", new Uint8Array(file));
    if (typeof minutes === "string")
      expect(refusedRows(result)).toEqual([[2, `Minutes must be minutes such as 75 or 1:15: “${minutes}”`]]);
    else {
      const [made] = await rows(
        sql`SELECT c.minutes FROM contacts c JOIN import_rows r ON r.record_id = c.id WHERE r.import_id = ${result.id}`,
      );
      expect(made).toEqual({ minutes });
    }
  });

  const twoSheets = (first: string) => ({
    "xl/workbook.xml": `<workbook ${R}><sheets>${first}<sheet name="Two" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships({
      rId1: ["worksheet", "worksheets/sheet1.xml"],
      rId2: ["worksheet", "/xl/worksheets/sheet2.xml"],
      rId3: ["chartsheet", "chartsheets/sheet1.xml"],
      rId4: ["dialogsheet", "dialogsheets/sheet1.xml"],
    }),
    "xl/worksheets/sheet2.xml": onePerson("On The Second Sheet"),
  });

  test.each([
    ["hidden", '<sheet name="One" sheetId="1" state="hidden" r:id="rId1"/>'],
    ["very hidden", '<sheet name="One" sheetId="1" state="veryHidden" r:id="rId1"/>'],
    ["a chart", '<sheet name="One" sheetId="1" r:id="rId3"/>'],
    ["a dialog", '<sheet name="One" sheetId="1" r:id="rId4"/>'],
  ])("whose first sheet is %s is read from the first one that people see", async (about, first) => {
    const rows = heads("Name") + row(2, text("A2", "On The First Sheet"));
    const others = twoSheets(first);
    const second = onePerson(`On The Second Sheet ${about}`);
    const result = await importBook(workbook(rows, [], { ...others, "xl/worksheets/sheet2.xml": second }));
    expect(await namesOf(result)).toEqual([`On The Second Sheet ${about}`]);
  });

  test("with a password, or in the old format, is refused with what to do", async () => {
    const container = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(3_000)]);
    const { status, body } = await upload("clients", new Uint8Array(container));
    expect(status).toBe(422);
    expect(body.fields.file).toContain("password");
    expect(body.fields.file).toContain("save it as XLSX");
  });

  test("may use another prefix for relationships, and name parts in other cases", async () => {
    const file = zip({
      "_rels/.rels": relationships({ a: ["officeDocument", "/xl/Workbook.xml"] }),
      "xl/workbook.xml": `<x:workbook xmlns:x="main" ${R.replace("xmlns:r", "xmlns:ns1")}><x:sheets><x:sheet name="One" sheetId="1" ns1:id="b"/></x:sheets></x:workbook>`,
      "xl/_rels/workbook.xml.rels": relationships({
        b: ["worksheet", "./Worksheets/../worksheets/Sheet1.xml"],
      }),
      "xl/worksheets/sheet1.xml": onePerson("With Another Prefix"),
    });
    expect(await namesOf(await importBook(file))).toEqual(["With Another Prefix"]);
  });

  test("may have its parts in the root of the archive", async () => {
    const file = zip({
      "_rels/.rels": relationships({ a: ["officeDocument", "workbook.xml"] }),
      "workbook.xml": `<workbook ${R}><sheets><sheet name="One" sheetId="1" r:id="b"/></sheets></workbook>`,
      "_rels/workbook.xml.rels": relationships({
        b: ["worksheet", "sheet1.xml"],
        c: ["sharedStrings", "texts.xml"],
      }),
      "texts.xml": "<sst><si><t>Name</t></si><si><t>In The Root</t></si></sst>",
      "sheet1.xml": sheet(
        '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>',
      ),
    });
    expect(await namesOf(await importBook(file))).toEqual(["In The Root"]);
  });

  test("may contain U+0000 and halves of characters in its texts", async () => {
    const names = ["Ann_x0000_", "Bob_xD800_", "Cy"];
    const rows = names.map((name, at) => row(at + 2, text(`A${at + 2}`, name)));
    const result = await importBook(workbook(heads("Name") + rows.join(""), []));
    const problem = "Client Name must not contain control characters";
    expect(refusedRows(result)).toEqual([
      [2, problem],
      [3, problem],
    ]);
    expect(await namesOf(result)).toEqual(["Cy"]);
  });

  test("has rows refused that have cells to the right of the headings", async () => {
    const rows =
      row(2, text("A2", "Ann Right"), text("D2", "call first")) +
      row(3, text("A3", "Bob Right"), text("C3", " "));
    const result = await importBook(workbook(heads("Name", "City") + rows, []));
    expect(refusedRows(result)).toEqual([[2, "It has 4 cells, but there are 2 headings"]]);
    expect(await namesOf(result)).toEqual(["Bob Right"]);
  });
});

test("refused rows of a megabyte are shown without their cells, and exported a few at a time", async () => {
  const row = (at: number) => `Large ${at},perhaps,${String(at % 10).repeat(1_000_000)}`;
  const numbers = Array.from({ length: 10 }, (_, at) => at);
  const result = await importFile(
    "clients",
    ["Name,Safe to Call,Not a Field", ...numbers.map(row)].join("\n"),
  );
  expect(result).toMatchObject({ created: 0, failed: 10 });
  const [largest] = await rows<{ bytes: number }>(
    sql`SELECT max(octet_length(sealed)) AS bytes FROM import_notes WHERE import_id = ${result.id} AND about = 'failed'`,
  );
  expect(largest?.bytes).toBeLessThan(1_000);
  // Earlier versions stored a refused row as a whole.
  const whole = sealNote(result.id, { problem: "Stored whole", cells: ["Large 0", "perhaps", "0"] });
  await rows(sql`DELETE FROM import_notes WHERE import_id = ${result.id} AND about = 'cells' AND number = 2`);
  await rows(
    sql`UPDATE import_notes SET sealed = ${whole} WHERE import_id = ${result.id} AND about = 'failed' AND number = 2`,
  );
  const shown = (await call(importer.cookie, "GET", `/api/imports/${result.id}`)).body.import;
  expect(refusedRows(shown)[0]).toEqual([2, "Stored whole"]);
  const { batches } = await exportFailedRows(await actorFor(importer), result.id);
  const read: string[][] = [];
  for await (const batch of batches) {
    expect(batch.flat().join("").length).toBeLessThan(6_000_000);
    read.push(...batch.map((cells) => cells.map(String)));
  }
  expect(read.map(([name]) => name)).toEqual(numbers.map((at) => `Large ${at}`));
  expect(read[0]).toEqual(["Large 0", "perhaps", "0", "Stored whole"]);
  expect(read.slice(1).every(([, , cell]) => cell?.length === 1_000_000)).toBe(true);
});

test("the first 50 rejected rows are listed, fewer if their notes are large, and all are counted", async () => {
  const result = await importFile(
    "clients",
    ["Name,Safe to Call", ...Array.from({ length: 60 }, (_, at) => `Listed ${at},perhaps`)].join("\n"),
  );
  expect(refusedRows(result)).toHaveLength(50);
  expect(result.noteCounts).toEqual({ failed: 60, duplicate: 0, similar: 0, kept: 0 });
  // Earlier versions stored a refused row as a whole.
  const large = sealNote(result.id, { problem: "Stored whole", cells: ["a".repeat(600_000)] });
  await rows(
    sql`UPDATE import_notes SET sealed = ${large} WHERE import_id = ${result.id} AND about = 'failed' AND number > 3`,
  );
  const shown = (await call(importer.cookie, "GET", `/api/imports/${result.id}`)).body.import;
  expect(refusedRows(shown).map(([number]) => number)).toEqual([2, 3, 4, 5]);
  expect(shown.noteCounts.failed).toBe(60);
});

test("headings are searched without comparing long cells, and other requests are served between the rows", async () => {
  const columns = 300;
  const row = Array.from({ length: columns }, (_, at) => `Value ${at}`).join(",");
  const rows = [row.replace("Value 0", "Name"), ...Array.from({ length: 30 }, () => row)];
  rows[5] = "x".repeat(400_000);
  let longest = 0;
  const texts = [0];
  const original = String.prototype.normalize;
  const spy = vi.spyOn(String.prototype, "normalize").mockImplementation(function (this: string, form) {
    longest = Math.max(longest, this.length);
    texts.push((texts.pop() ?? 0) + 1);
    return original.call(this, form);
  });
  const countTurn = () => {
    texts.push(0);
    turn = setImmediate(countTurn);
  };
  let turn = setImmediate(countTurn);
  const { status } = await upload("clients", rows.join("\n")).finally(() => {
    clearImmediate(turn);
    spy.mockRestore();
  });
  expect(status).toBe(201);
  expect(longest).toBeLessThanOrEqual(255);
  const total = texts.reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThan(10 * columns);
  expect(Math.max(...texts)).toBeLessThan(total / 2);
});

test("a cell with more than 500 rows is refused before its rows are read", async () => {
  const staff = "Nobody: 5\n".repeat(501);
  const uploaded = await upload(
    "events",
    `Date,Kind,Title,Audience,Staff\n01/02/2026,Community talk,Talk,General public,"${staff}"`,
  );
  const { failed, notes } = await run(uploaded.body.import.id, true);
  expect(failed).toBe(1);
  expect(notes[0].problem).toContain("Staff must have at most 500 entries");
  expect(notes[0].problem).not.toContain("is not in the list: “Nobody");
});

test("empty rows of a CSV file are counted and not collected, and the first one too many ends the reading", () => {
  const splitter = new CsvSplitter(",");
  expect(splitter.push('\n\r\n\r,,\n \n""\nAnn,1\r\n\r\nBob')).toEqual([
    { number: 7, cells: ["Ann", "1"], problem: undefined },
  ]);
  expect(splitter.push("\n\n".repeat(524_284))).toEqual([{ number: 9, cells: ["Bob"], problem: undefined }]);
  expect(splitter.end()).toEqual([]);
  expect(() => splitter.push("\nAnn\nBob\n")).toThrow("more than 1,048,576 rows");
});

test("the name of a file is listed with its import, encrypted, and deleted with the notes", async () => {
  const fileName = "Kanarie, Öl & Söhne 100%.csv";
  const { body } = await upload("clients", "Name\nNamed File", fileName);
  const { id } = body.import;
  expect(body.import.fileName).toBe(fileName);
  const listed = async () => {
    const { imports } = (await call(importer.cookie, "GET", "/api/imports")).body;
    return imports.find((one: { id: number }) => one.id === id).fileName;
  };
  expect(await listed()).toBe(fileName);
  const [stored] = await rows<{ name: Buffer }>(sql`SELECT file_name AS name FROM imports WHERE id = ${id}`);
  expect(stored?.name.includes("Kanarie")).toBe(false);
  await run(id, false);
  await rows(sql`UPDATE imports SET finished_at = now() - interval '31 days' WHERE id = ${id}`);
  const { sweep } = await import("@/lib/worker");
  await sweep();
  expect(await listed()).toBe("");
});
