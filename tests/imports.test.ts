import { randomBytes } from "node:crypto";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { clientSchema } from "@/lib/clients/schema";
import { db, pool, rows } from "@/lib/core/database/client";
import { busy, tooSlow } from "@/lib/core/errors";
import { toWire } from "@/lib/core/fields/wire";
import { env } from "@/lib/core/process/env";
import { sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { homeOf } from "@/lib/home/home";
import { WORKBOOK } from "@/lib/transfer/imports/file/limits";
import { kinds } from "@/lib/transfer/imports/kinds";
import { IMPORTS_AT_ONCE, runImports } from "@/lib/transfer/imports/run";
import { sweep } from "@/lib/worker";
import { formTypes } from "@/prisma/seed-data";
import { runBlockedBy } from "@/tests/blocked";
import { actorFor, call } from "@/tests/call";
import { fullForm, makeClient, makeForm, makeUser, type Person } from "@/tests/factories";
import { workbook } from "@/tests/workbook";

// Imports from files: columns are matched, then a dry run, one import, and an undo of the whole import.

let importer: Person;
let colleague: Person;
let reader: Person;

beforeAll(async () => {
  importer = await makeUser([
    ...(["import", "export", "clients", "forms", "all-forms", "ethnicities", "referral-sources"] as const),
  ]);
  colleague = await makeUser(["clients"]);
  reader = await makeUser(["audit-log", "clients", "forms", "all-forms", "retention"]);
});

const CSV = "text/csv";
const upload = (kind: string, raw: BodyInit, by = importer, type = CSV) =>
  call(by.cookie, "POST", `/api/imports?kind=${kind}`, undefined, { raw, headers: { "content-type": type } });
const act = (id: number, what: string, body?: unknown, by = importer) =>
  call(by.cookie, "POST", `/api/imports/${id}/${what}`, body);
const read = async (id: number, by = importer) =>
  (await call(by.cookie, "GET", `/api/imports/${id}`)).body.import;
const working = () => runImports(new AbortController().signal);

/** Starts the import with the suggested column matches, and works until it has ended. */
async function start(id: number, { dryRun = false, ownerId = null as number | null, by = importer } = {}) {
  const { matches } = await read(id, by);
  const answer = await act(id, "start", { import: { dryRun, matches, ownerId } }, by);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await working();
  return read(id, by);
}

async function importRows(kind: string, text: string, by = importer) {
  const { status, body } = await upload(kind, text, by);
  expect(status, JSON.stringify(body)).toBe(201);
  return start(body.import.id, { by });
}

async function undo(id: number) {
  expect((await act(id, "undo")).status).toBe(200);
  await working();
  return read(id);
}

const clientsNamed = (name: string) => db().client.findMany({ where: { name }, orderBy: { id: "asc" } });

describe("a file of clients", () => {
  const file = (tag: string, ethnicity: string) =>
    [
      "Id,Client Name,Advocate Email,Date of Birth,Gender,Ethnicity,Safe to Call,Created On,Shoe Size",
      `1,${tag} One,,02/29/1984,female,${ethnicity.toUpperCase()},yes,03/04/2019,38`,
      `2,"${tag}, Two",user-of-${tag}@example.org,1990-01-31,,,,,`,
      `3,'=${tag}(),,,,,,,`,
      "",
      `4,${tag} Four,,02/30/1984,Whale,,perhaps,,`,
    ].join("\r\n");

  test("is matched by its labels, tried without changes, imported once and undone as a whole", async () => {
    await db().user.update({ where: { id: colleague.id }, data: { email: "user-of-Ada@example.org" } });
    const { name: ethnicity, id: ethnicityId } = await db().ethnicity.findFirstOrThrow();
    const text = file("Ada", ethnicity);
    const { body } = await upload("clients", text);
    expect(body.import).toMatchObject({ kind: "clients", status: "waiting", rows: 4 });
    expect(body.import.matches).toEqual([
      "externalId",
      "name",
      "user.email",
      "clientBiographicalEntry.dateOfBirth",
      "clientDemographicEntry.gender",
      "clientDemographicEntry.ethnicityId",
      "clientBiographicalEntry.safeToCall",
      "createdOn",
      "",
    ]);
    await makeClient(colleague, { name: "ADA óne" });

    const tried = await start(body.import.id, { dryRun: true });
    expect(tried).toMatchObject({ status: "checked", done: 4, created: 3, failed: 1, similar: 2 });
    expect(await clientsNamed("Ada One")).toEqual([]);
    expect(tried.notes).toMatchObject([
      { about: "failed", number: 6 },
      { about: "similar", number: 2, clients: [{ name: "ADA óne" }] },
      // The formula `=Ada()`, written as one word.
      { about: "similar", number: 4, clients: [{ name: "ADA óne" }] },
    ]);
    for (const label of ["Date of Birth", "Safe to Call", "Gender"])
      expect(tried.notes[0].problem).toContain(label);

    const result = await start(body.import.id, { ownerId: colleague.id });
    expect(result).toMatchObject({ status: "done", done: 4, created: 3, repeated: 0, failed: 1 });
    const [one] = (await call(importer.cookie, "GET", "/api/clients?search=Ada+One&sort=name&order=desc"))
      .body.clients;
    const { client } = (await call(importer.cookie, "GET", `/api/clients/${one.id}`)).body;
    expect(client).toMatchObject({
      name: "Ada One",
      userId: colleague.id,
      createdOn: "2019-03-04",
      clientBiographicalEntry: { dateOfBirth: "1984-02-29", safeToCall: true },
      clientDemographicEntry: { gender: "Female", ethnicityId },
    });
    expect(await clientsNamed("Two Ada")).toMatchObject([{ userId: colleague.id }]);
    expect(await clientsNamed("=Ada()")).toHaveLength(1);

    const failed = await call(importer.cookie, "GET", `/api/imports/${result.id}/failed.csv`);
    const [headings, row] = failed.body.split("\r\n");
    expect(headings).toBe(
      "Id,Client Name,Advocate Email,Date of Birth,Gender,Ethnicity,Safe to Call,Created On,Shoe Size,Reason",
    );
    expect(row).toMatch(
      /^4,Ada Four,,02\/30\/1984,Whale,,perhaps,,,"[^"]*\nClient Biographical: Safe to Call must be Yes or No: “perhaps”\n/,
    );

    const again = await importRows("clients", text);
    expect(again).toMatchObject({ status: "done", created: 0, repeated: 3, failed: 1 });
    expect(await clientsNamed("Ada One")).toHaveLength(1);
    expect(await rows(sql`SELECT FROM import_parts`)).toEqual([]);

    expect(await undo(result.id)).toMatchObject({ status: "undone", removed: 3, kept: 0 });
    expect(await clientsNamed("Ada One")).toEqual([]);
    const { auditEvents } = (
      await call(reader.cookie, "GET", "/api/audit_events?filters[entity]=import&filters[action]=imported")
    ).body;
    expect(auditEvents).toMatchObject([
      { userId: importer.id, entityId: again.id },
      { userId: importer.id, entityId: result.id },
    ]);
  });

  test("finds the advocate by a full name that exactly one account has", async () => {
    const name = { firstName: "Rosalía", lastName: "Delgado Quist" };
    await db().user.update({ where: { id: colleague.id }, data: name });
    const text = [
      "Client Name,Advocate",
      'Named Advocate,"Delgado Quist, ROSALIA"',
      "Unknown Advocate,Nobody Here",
    ].join("\r\n");
    const result = await importRows("clients", text);
    expect(result).toMatchObject({ status: "done", created: 1, failed: 1 });
    expect(result.notes).toMatchObject([
      { number: 3, problem: "No account, or more than one, has this advocate's name: “Nobody Here”" },
    ]);
    expect(await clientsNamed("Named Advocate")).toMatchObject([{ userId: colleague.id }]);
    expect(await undo(result.id)).toMatchObject({ status: "undone", removed: 1 });
  });

  test("returns its refused rows unchanged, including those that begin as a formula", async () => {
    const names = ["'=Uma()", "''=Uma()", "=Umar()", "'Uma'"];
    const rows = (gender: string) => names.map((name) => `${name},${gender}`);
    const done = await importRows("clients", ["Name,Gender", ...rows("Whale")].join("\n"));
    expect(done).toMatchObject({ created: 0, failed: 4 });
    const failed = await call(importer.cookie, "GET", `/api/imports/${done.id}/failed.csv`);
    expect(await importRows("clients", failed.body.replaceAll("Whale", "Female"))).toMatchObject({
      created: 4,
    });
    const made = await db().client.findMany({ where: { name: { contains: "Uma" } }, orderBy: { id: "asc" } });
    expect(made.map(({ name }) => name)).toEqual(["=Uma()", "'=Uma()", "=Umar()", "'Uma'"]);
  });

  test("without an External Id is recognized by the full content of its rows", async () => {
    const text = "Name;City\nBea One;Erie\nBea One;Erie\nBea One;York\n";
    expect(await importRows("clients", text)).toMatchObject({ created: 2, repeated: 0, duplicates: 1 });
    expect(await importRows("clients", text)).toMatchObject({ created: 0, repeated: 2, duplicates: 1 });
    const [first] = await clientsNamed("Bea One");
    await call(importer.cookie, "DELETE", `/api/clients/${first?.id}`);
    expect(await importRows("clients", text)).toMatchObject({ created: 1, repeated: 1, duplicates: 1 });
  });

  test("re-creates a client who was merged, once the other record is deleted", async () => {
    const text = "Id,Name\nnoe-1,Noe Twice";
    const first = await importRows("clients", text);
    const survivor = await makeClient(importer, { name: "Noe" });
    const [{ id = 0 } = {}] = await clientsNamed("Noe Twice");
    const merging = { client: toWire(clientSchema, survivor), other: { id, lockVersion: 0 } };
    await call(importer.cookie, "POST", `/api/clients/${survivor.id}/merge`, merging);
    expect(await importRows("clients", text)).toMatchObject({ created: 0, repeated: 1 });
    expect((await call(importer.cookie, "DELETE", `/api/clients/${survivor.id}`)).status).toBe(204);
    expect(await undo(first.id)).toMatchObject({ kept: 0 });
    expect(await importRows("clients", text)).toMatchObject({ created: 1, repeated: 0 });
  });

  test("keeps records that were since changed, used or put under a hold when it is undone, and lists them", async () => {
    const result = await importRows("clients", "Name\nCleo Free\nCleo Changed\nCleo Used\nCleo Held");
    const [changed, used, heldId] = await Promise.all(
      ["Cleo Changed", "Cleo Used", "Cleo Held"].map(async (name) => (await clientsNamed(name))[0]?.id ?? 0),
    );
    await call(importer.cookie, "PUT", `/api/clients/${changed}`, { client: { name: "Cleo Other" } });
    await makeForm(importer, {}, used);
    await call(reader.cookie, "PUT", `/api/clients/${heldId}/hold`, { hold: { reason: "Appeal" } });
    const undone = await undo(result.id);
    expect(undone).toMatchObject({ status: "undone", removed: 1, kept: 3 });
    expect(undone.notes.filter(({ about }: { about: string }) => about === "kept")).toMatchObject([
      { number: changed, problem: "It has changed since.", clients: [{ name: "Cleo Other" }] },
      { number: used, problem: expect.stringContaining("used by 1 form"), clients: [{ name: "Cleo Used" }] },
      { number: heldId, problem: "This client is under legal hold.", clients: [{ name: "Cleo Held" }] },
    ]);
    expect(await clientsNamed("Cleo Free")).toEqual([]);
    expect(await undo(result.id)).toMatchObject({ done: 4, removed: 1, kept: 3 });
  });
});

test("a workbook is read as people see it: dates, shared texts, checkboxes, formula results, and no empty cells", async () => {
  const cells = [
    `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>LGBT</t></is></c></row>`,
    `<row r="3"><c r="A3" t="s"><v>2</v></c><c r="B3" s="1"><v>30741</v></c><c r="D3" t="b"><v>1</v></c></row>`,
    `<row r="4"><c r="A4" t="str"><f>A3&amp;"!"</f><v>Juno &amp; Co!</v></c></row>`,
  ];
  const file = workbook(cells.join(""), ["Client Name", "Date of Birth", "Juno &amp; Co"]);
  // The network may deliver too few bytes at first to detect the format.
  const pieces = new Blob([new Uint8Array(file.subarray(0, 2)), new Uint8Array(file.subarray(2))]);
  const { status, body } = await upload("clients", pieces, importer, "application/octet-stream");
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.import).toMatchObject({ rows: 2, headings: ["Client Name", "Date of Birth", "", "LGBT"] });
  expect(await start(body.import.id)).toMatchObject({ status: "done", created: 2, failed: 0 });
  const [juno] = await clientsNamed("Juno & Co");
  const { client } = (await call(importer.cookie, "GET", `/api/clients/${juno?.id}`)).body;
  expect(client.clientBiographicalEntry).toMatchObject({ dateOfBirth: "1984-02-29" });
  expect(client.clientDemographicEntry).toMatchObject({ lgbt: true });
  expect(await clientsNamed("Juno & Co!")).toHaveLength(1);
});

test("an import does not wait for the many and long ones of another user, who has one at a time", async () => {
  const other = await makeUser(["import", "clients"]);
  const rowsOf = (tag: string, count: number) =>
    ["Name", ...Array.from({ length: count }, (_, at) => `${tag} ${at}`)].join("\n");
  const begin = async (text: string, by: Person) => {
    const { id, matches } = (await upload("clients", text, by)).body.import;
    expect((await act(id, "start", { import: { dryRun: true, matches } }, by)).status).toBe(200);
    return id;
  };
  const long: number[] = [];
  for (const tag of ["Ulla", "Vera", "Wanda"]) long.push(await begin(rowsOf(tag, 400), importer));
  const small = await begin("Name\nXenia", other);
  const stop = new AbortController();
  const work = Array.from({ length: IMPORTS_AT_ONCE }, () => runImports(stop.signal));
  await expect.poll(async () => (await read(small, other)).status).toBe("checked");
  const begun = await Promise.all(long.map((id) => read(id)));
  expect(begun.map(({ status }) => status)).toContain("checking");
  expect(begun.filter(({ done }) => done > 0 && done < 400).length).toBeLessThanOrEqual(1);
  stop.abort();
  await Promise.all(work);
  for (const id of long) await act(id, "cancel");
  await act(small, "cancel", undefined, other);
});

describe("an interrupted import", () => {
  const many = (tag: string) => `Name\n${Array.from({ length: 120 }, (_, at) => `${tag} ${at}`).join("\n")}`;
  const count = (tag: string) => db().client.count({ where: { name: { startsWith: `${tag} ` } } });

  /** Works on the queued import until some rows are imported, like a process that then ends. */
  async function beginAndStop(tag: string, { text = many(tag), dryRun = false } = {}): Promise<number> {
    const { body } = await upload("clients", text);
    const { id, matches } = body.import;
    await act(id, "start", { import: { dryRun, matches } });
    const stop = new AbortController();
    const work = runImports(stop.signal);
    await expect.poll(async () => (await read(id)).done).toBeGreaterThan(0);
    stop.abort();
    await work;
    return id;
  }

  test("has imported whole chunks, and another process continues where it stopped", async () => {
    const id = await beginAndStop("Dora");
    const { done, created, status } = await read(id);
    expect(status).toBe("running");
    expect(created).toBe(done);
    expect(await count("Dora")).toBe(done);
    await working();
    expect(await read(id)).toMatchObject({ status: "done", created: 120, repeated: 0 });
    expect(await count("Dora")).toBe(120);
  });

  test("predicts repeated rows more than a chunk apart in a dry run, even if another process continues it", async () => {
    const some = `${many("Edda").replace("Name", "Name,Gender").replaceAll("\n", ",\n")},\nEdda refused,Whale`;
    const [, ...lines] = some.split("\n");
    const id = await beginAndStop("Edda", { text: [some, ...lines].join("\n"), dryRun: true });
    await working();
    expect(await read(id)).toMatchObject({
      status: "checked",
      created: 120,
      repeated: 0,
      duplicates: 120,
      failed: 2,
    });
    expect(await count("Edda")).toBe(0);
    await act(id, "cancel");
  });

  test("keeps the imported rows when it is canceled, and can then be undone", async () => {
    const id = await beginAndStop("Enid");
    expect((await act(id, "cancel")).body.import).toMatchObject({ status: "cancelled" });
    await working();
    const { created } = await read(id);
    expect(await count("Enid")).toBe(created);
    expect((await act(id, "cancel")).body.code).toBe("conflict_busy");
    expect(await undo(id)).toMatchObject({ status: "undone", removed: created });
    expect(await count("Enid")).toBe(0);
  });

  test("is not touched by a process that lost its lease", async () => {
    const { body } = await upload("clients", many("Flora"));
    const { id, matches } = body.import;
    await act(id, "start", { import: { dryRun: false, matches } });
    const slow = working();
    await expect.poll(() => count("Flora")).toBeGreaterThan(0);
    await rows(sql`UPDATE imports SET leased_until = now() - interval '1 minute' WHERE id = ${id}`);
    await Promise.all([slow, working()]);
    expect(await read(id)).toMatchObject({ status: "done", created: 120, repeated: 0, failed: 0 });
    expect(await count("Flora")).toBe(120);
  });

  test("started with an API token shows the token's name, and ends when the token expires", async () => {
    const owner = await makeUser(["import", "clients", "api-tokens", "audit-log"]);
    const permissions = await db().permission.findMany({ where: { name: { in: ["Import", "Clients"] } } });
    const apiToken = { name: "Feeder", expiresOn: today(), permissionIds: permissions.map(({ id }) => id) };
    const token = (await call(owner.cookie, "POST", "/api/api_tokens", { apiToken })).body.apiToken;
    const headers = { authorization: `Bearer ${token.token}` };
    const begin = async (text: string) => {
      const sent = { headers: { ...headers, "content-type": CSV }, raw: text };
      const { id, matches } = (await call(null, "POST", "/api/imports?kind=clients", undefined, sent)).body
        .import;
      const body = { import: { dryRun: false, matches } };
      expect((await call(null, "POST", `/api/imports/${id}/start`, body, { headers })).status).toBe(200);
      return id;
    };
    const first = await begin("Name\nNora One");
    await working();
    expect(await read(first)).toMatchObject({ status: "done", created: 1 });
    const { auditEvents } = (
      await call(owner.cookie, "GET", `/api/audit_events?filters[entity]=import&filters[entityId]=${first}`)
    ).body;
    expect(auditEvents[0]).toMatchObject({
      action: "imported",
      userName: expect.stringContaining("(token Feeder)"),
    });
    const second = await begin("Name\nNora Two");
    await call(owner.cookie, "DELETE", `/api/api_tokens/${token.id}`);
    await working();
    expect(await read(second)).toMatchObject({ status: "failed", created: 0 });
  });

  test.each([
    ["too_slow", tooSlow()],
    ["conflict_busy", busy("Someone else saved at the same time.")],
  ])("continues where a chunk failed with %s, once the lease expires", async (code, error) => {
    const { body } = await upload("clients", `Name\nFaye ${code}`);
    const { id, matches } = body.import;
    await act(id, "start", { import: { dryRun: false, matches } });
    vi.spyOn(kinds.clients, "add").mockRejectedValueOnce(error);
    await working();
    expect(await read(id)).toMatchObject({ status: "running", created: 0 });
    await rows(sql`UPDATE imports SET leased_until = now() - interval '1 minute' WHERE id = ${id}`);
    await working();
    expect(await read(id)).toMatchObject({ status: "done", created: 1 });
  });

  test("ends when the user who started it may no longer import", async () => {
    const leaver = await makeUser(["import", "clients"]);
    const { body } = await upload("clients", many("Gwen"), leaver);
    const { id, matches } = body.import;
    await act(id, "start", { import: { dryRun: false, matches } }, leaver);
    await db().user.update({ where: { id: leaver.id }, data: { active: false } });
    await working();
    expect(await read(id)).toMatchObject({ status: "failed", created: 0 });
    expect(await count("Gwen")).toBe(0);
  });

  test("ends with the chunk during which the user who started it is deactivated", async () => {
    const leaver = await makeUser(["import", "clients"]);
    const { body } = await upload("clients", many("Greta"), leaver);
    const { id, matches } = body.import;
    await act(id, "start", { import: { dryRun: false, matches } }, leaver);
    // The first chunk waits for this lock, which every import of clients takes.
    const deactivate = `SELECT pg_advisory_xact_lock(hashtextextended('import clients', 0));
      UPDATE users SET active = FALSE WHERE id = ${leaver.id}`;
    await runBlockedBy(deactivate, working);
    expect(await read(id)).toMatchObject({ status: "failed", done: 50, created: 50 });
  });
});

describe("a file of past forms", () => {
  const closeThrough = (day: string | null) =>
    db().closedPeriod.updateMany({ data: { closedThrough: day && new Date(day) } });

  test("imports exported forms of every type once, for the clients with their Ids", async () => {
    const owner = await makeUser(["forms", "clients", "export"]);
    const { id: former } = await makeClient(owner, { name: "Lena Former" });
    const save = async (form: object) => {
      const { status, body } = await call(owner.cookie, "POST", "/api/forms", { form });
      expect(status, JSON.stringify(body)).toBe(201);
    };
    for (const { name } of formTypes) await save(await fullForm(name, former));
    await save(await fullForm("Legal Advocacy", former, "CT"));
    await makeForm(owner, {}, former);
    const exportForms = async (clientId: number): Promise<string> => {
      const filters = `filters[clientId]=${clientId}&filters[formStatus]=all`;
      return (await call(owner.cookie, "GET", `/api/forms.csv?columns=all&${filters}`)).body;
    };
    const comparableLines = (text: string) =>
      parse(text, { bom: true })
        .slice(1)
        .map(([, , ...cells]: string[]) => cells.join("|").replace("Lena Former", "Lena Now"))
        .sort();
    const text = await exportForms(former);
    const lines = comparableLines(text);
    const count = formTypes.length + 2;
    // More than a chunk, so that a form's lines are in two chunks.
    expect(lines.length).toBeGreaterThan(50);

    const clients = `Id,Name\n${former},Lena Now`;
    await importRows("clients", clients);
    const [client] = await clientsNamed("Lena Now");
    const tried = await upload("forms", text);
    expect(await start(tried.body.import.id, { dryRun: true })).toMatchObject({ created: count, failed: 0 });
    const result = await start(tried.body.import.id);
    expect(result.notes).toEqual([]);
    expect(result).toMatchObject({ status: "done", done: lines.length, created: count, failed: 0 });
    expect(comparableLines(await exportForms(client?.id ?? 0))).toEqual(lines);

    expect(await importRows("forms", text)).toMatchObject({ created: 0, repeated: count, failed: 0 });
    expect(await db().form.count({ where: { clientId: client?.id } })).toBe(count);
    expect(await undo(result.id)).toMatchObject({ status: "undone", removed: count, kept: 0 });
    expect(await db().form.count({ where: { clientId: client?.id } })).toBe(0);
  });

  const HEADINGS =
    "Id,Client Id,Client,Advocate Email,Form Type,Service On,Service Status,Services: Code,Services: Minutes";

  type Line = {
    id: string;
    client?: string;
    externalId?: string;
    email?: string;
    day?: string;
    code?: string;
    /** The reason if the line is refused. */
    problem?: unknown;
  };
  const containing = (text: string): unknown => expect.stringContaining(text);
  const TWO_DAYS = "Service On is not the same in all rows of this Id";

  /** A file of forms, read by a user without All Forms; the values of a line without them are those of Mara Once. */
  const maraLines = (): Line[] => [
    { id: "1", client: "mara ÓNCE" },
    { id: "1", client: "mara ÓNCE", code: "CRISIS" },
    { id: "2", client: "Mara Nobody", problem: containing("Client was not found") },
    { id: "3", client: "Mara Twice", problem: containing("Client is the name of several") },
    { id: "4", client: "Mara Hidden", externalId: "mara-7", problem: containing("Client was not found") },
    { id: "5", email: importer.email, problem: "Forms of other advocates require the permission All Forms" },
    { id: "6", day: "12/31/2019", problem: containing("December 2019") },
    { id: "7", code: "no such code", problem: containing("Code is not in the list") },
    { id: "8", day: "", problem: "Service On is required" },
    { id: "9", problem: TWO_DAYS },
    { id: "9", day: "03/05/2021", problem: TWO_DAYS },
    { id: "1", problem: containing("must be together") },
    { id: "10", client: "Mara Gone", externalId: "mara-8", problem: containing("Client was not found") },
  ];
  const rowOfLine = ({
    id,
    client = "Mara Once",
    externalId,
    email,
    day = "03/04/2021",
    code = "SAFETY",
  }: Line) => [id, externalId, client, email, "Service", day, "Served", code, "15"].join(",");

  test("has each form refused that would change its meaning, with the reason on all of its lines", async () => {
    const filer = await makeUser(["import", "forms", "clients"]);
    for (const name of ["Mara Once", "Mara Twice", "Mara Twice", "Mara Hidden", "Mara Gone"])
      await makeClient(filer, { name });
    await importRows("clients", "Id,Name\nmara-7,Mara Hidden\nmara-8,Mara Gone");
    const [[, hidden], [, gone]] = [await clientsNamed("Mara Hidden"), await clientsNamed("Mara Gone")];
    expect((await call(importer.cookie, "DELETE", `/api/clients/${gone?.id}`)).status).toBe(204);
    await db().clientRestriction.create({ data: { clientId: hidden?.id ?? 0, userId: filer.id } });
    const lines = maraLines();
    await closeThrough("2019-12-31");
    const result = await importRows("forms", [HEADINGS, ...lines.map(rowOfLine)].join("\n"), filer);
    await closeThrough(null);
    expect(result).toMatchObject({ status: "done", done: 13, created: 1, repeated: 0, failed: 11 });
    // The headings are line 1.
    const refused = lines.flatMap(({ problem }, index) => (problem ? [{ number: index + 2, problem }] : []));
    expect(result.notes).toMatchObject(refused);
    const [mara] = await clientsNamed("Mara Once");
    const [form] = await db().form.findMany({
      where: { userId: filer.id },
      include: { serviceEntry: { include: { serviceProvidedEntries: true } } },
    });
    expect(form).toMatchObject({ clientId: mara?.id, reconciled: false });
    expect(form?.serviceEntry?.serviceProvidedEntries).toHaveLength(2);

    const other = await makeUser(["import", "forms"]);
    expect((await call(other.cookie, "GET", `/api/imports/${result.id}/failed.csv`)).status).toBe(404);
  });

  test("has a form refused if it has service details that its code does not ask for here", async () => {
    await makeClient(importer, { name: "Nell One" });
    const details = "Hotel Shelter: Needs Met,Hotel Shelter: Adults,Videoconferencing: Emergency PFA Granted";
    const row = (id: number, code: string, rest: string) =>
      `nell ${id},,Nell One,,Service,03/04/2021,Served,${code},15,${rest}`;
    const text = [
      `${HEADINGS},${details}`,
      row(1, "HOTEL", "Yes,2,"),
      row(2, "SAFETY", "No,0,No"),
      row(3, "SAFETY", "No,2,"),
      row(4, "SAFETY", ",,Yes"),
    ].join("\n");
    const done = await importRows("forms", text);
    expect(done).toMatchObject({ created: 2, failed: 2 });
    expect(done.notes.map(({ problem }: { problem: string }) => problem)).toEqual([
      "Hotel Shelter does not apply to SAFETY here",
      "Videoconferencing does not apply to SAFETY here",
    ]);
  });

  test("imports every form whole for a client who was merged since, even if another process continues", async () => {
    await importRows("clients", "Id,Name\nnora-1,Nora Twice");
    const target = await makeClient(importer, { name: "Nora" });
    const [{ id = 0 } = {}] = await clientsNamed("Nora Twice");
    const values = toWire(clientSchema, target);
    const merging = { client: values, other: { id, lockVersion: 0 } };
    expect((await call(importer.cookie, "POST", `/api/clients/${target.id}/merge`, merging)).status).toBe(
      200,
    );

    const code = await db().serviceCode.findFirstOrThrow({
      where: { formTypes: { some: { formType: { name: "Service" } } } },
    });
    const lines = (id: string, count: number) =>
      Array.from({ length: count }, () => `${id},nora-1,,,Service,03/04/2021,Served,${code.code},15`);
    const forms = Array.from({ length: 40 }, (_, at) => lines(`nora ${at}`, 3)).flat();
    const { body } = await upload("forms", [HEADINGS, ...forms, ...lines("too long", 502)].join("\n"));
    const { id: importId, matches } = body.import;
    await act(importId, "start", { import: { dryRun: false, matches } });
    const stop = new AbortController();
    const work = runImports(stop.signal);
    const count = () => db().form.count({ where: { clientId: target.id } });
    await expect.poll(count).toBeGreaterThan(0);
    stop.abort();
    await work;
    expect((await read(importId)).status).toBe("running");
    await working();
    expect(await read(importId)).toMatchObject({ status: "done", created: 40, repeated: 0, failed: 502 });
    expect(await count()).toBe(40);
    const services = { where: { serviceEntry: { form: { clientId: target.id } } } };
    expect(await db().serviceProvidedEntry.count(services)).toBe(120);
  });

  test("is reconciled by the importing user if its Reconciled column is yes, and can be undone", async () => {
    const client = await makeClient(importer);
    const row = (reconciled: string, { day = "03/04/2021", email = "" } = {}) =>
      `,,${client.name},${email},Service,${day},Served,,,${reconciled}`;
    await closeThrough("2019-12-31");
    const text = [
      `${HEADINGS},Reconciled`,
      row("yes"),
      row("No", { day: "03/05/2021" }),
      row("", { day: "03/06/2021" }),
      row("perhaps", { day: "03/07/2021" }),
      row("Yes", { day: "12/31/2019" }),
      row("Yes", { day: "03/08/2021", email: reader.email }),
    ].join("\n");
    const result = await importRows("forms", text);
    await closeThrough(null);
    expect(result).toMatchObject({ created: 4, failed: 2 });
    expect(result.matches.at(-1)).toBe("reconciled");
    expect(result.notes).toMatchObject([
      { number: 5, problem: "Reconciled must be Yes or No: “perhaps”" },
      { number: 6, problem: expect.stringContaining("December 2019") },
    ]);
    const forms = await db().form.findMany({ where: { clientId: client.id }, orderBy: { id: "asc" } });
    const none = { reconciled: false, reconciledById: null, reconciledAt: null, checkedAt: null };
    const now = expect.any(Date);
    const by = importer.id;
    const checked = { reconciled: true, reconciledById: by, reconciledAt: now, checkedAt: now };
    expect(forms).toMatchObject([checked, none, none, checked]);
    const acts = await db().auditEvent.findMany({
      where: { entity: "form", entityId: forms[0]?.id },
      orderBy: { id: "asc" },
    });
    expect(acts).toMatchObject([
      { action: "created", userId: importer.id },
      { action: "reconciled", userId: importer.id },
    ]);

    const again = await importRows("forms", text.replace(",yes", ",No"));
    expect(again).toMatchObject({ created: 1, repeated: 4, failed: 1 });
    expect(await undo(result.id)).toMatchObject({ status: "undone", removed: 4, kept: 0 });
  });

  test("with Reconciled is refused if the user may not reconcile their own forms", async () => {
    const client = await makeClient(importer);
    const row = (reconciled: string, email = "") =>
      `,,${client.name},${email},Service,03/04/2021,Served,,,${reconciled}`;
    const own = vi.spyOn(env(), "ALLOW_OWN_RECONCILE", "get").mockReturnValue(false);
    const text = [`${HEADINGS},Reconciled`, row("Yes"), row("Yes", reader.email)].join("\n");
    const done = await importRows("forms", text);
    own.mockRestore();
    expect(done).toMatchObject({ created: 1, failed: 1 });
    expect(done.notes).toMatchObject([
      { number: 2, problem: "Reconciled must not be Yes: someone else must reconcile your own forms" },
    ]);
    const forms = await db().form.findMany({ where: { clientId: client.id } });
    expect(forms).toMatchObject([{ userId: reader.id, reconciled: true, reconciledById: importer.id }]);
  });

  test("keeps forms that were since reconciled, closed or put under a hold when it is undone, and lists them", async () => {
    const free = await makeClient(importer);
    const heldClient = await makeClient(importer);
    const row = (day: string, { name }: { name: string }) => `,,${name},,Service,${day},Served,,`;
    const days = ["01/02/2019", "01/02/2021", "01/03/2021"];
    const text = [HEADINGS, ...days.map((day) => row(day, free)), row("01/02/2021", heldClient)].join("\n");
    const result = await importRows("forms", text);
    expect(result).toMatchObject({ created: 4, failed: 0 });
    const forms = await db().form.findMany({
      where: { clientId: { in: [free.id, heldClient.id] } },
      orderBy: { id: "asc" },
    });
    const [closed, reconciled, , onHold] = forms.map(({ id }) => id);
    expect(
      (await call(importer.cookie, "POST", `/api/forms/${reconciled}/reconcile`, { reconciled: true }))
        .status,
    ).toBe(200);
    await call(reader.cookie, "PUT", `/api/clients/${heldClient.id}/hold`, { hold: { reason: "Appeal" } });
    await closeThrough("2019-12-31");
    const undone = await undo(result.id);
    await closeThrough(null);
    expect(undone).toMatchObject({ status: "undone", removed: 1, kept: 3 });
    expect(undone.notes).toMatchObject([
      { about: "kept", number: closed, problem: expect.stringContaining("December 2019") },
      { about: "kept", number: reconciled, problem: "It has changed since." },
      { about: "kept", number: onHold, problem: "This client is under legal hold." },
    ]);
  });

  const CLOSING = "UPDATE closed_periods SET closed_through = '2019-12-31'";

  test("adds no form to a period that is closed while the import runs", async () => {
    const client = await makeClient(importer, { name: "Mara Meanwhile" });
    const row = (day: string) => `,,${client.name},,Service,${day},Served,,`;
    const text = [HEADINGS, row("01/02/2019"), row("01/02/2021")].join("\n");
    const { body } = await upload("forms", text);
    const { id, matches } = body.import;
    await act(id, "start", { import: { dryRun: false, matches, ownerId: null } });
    await runBlockedBy(CLOSING, working);
    // The chunk is tried again once the lease expires.
    await rows(sql`UPDATE imports SET leased_until = now() - interval '1 minute' WHERE id = ${id}`);
    await working();
    await closeThrough(null);
    const done = await read(id);
    expect(done).toMatchObject({ status: "done", created: 1, failed: 1 });
    expect(done.notes).toMatchObject([{ number: 2, problem: expect.stringContaining("December 2019") }]);
    const days = await db().form.findMany({ where: { clientId: client.id }, select: { serviceOn: true } });
    expect(days).toEqual([{ serviceOn: new Date("2021-01-02") }]);
  });

  test("keeps the forms of a period that is closed while the import is undone", async () => {
    const client = await makeClient(importer, { name: "Mara Afterwards" });
    const row = (day: string) => `,,${client.name},,Service,${day},Served,,`;
    const text = [HEADINGS, row("01/02/2019"), row("01/02/2021")].join("\n");
    const result = await importRows("forms", text);
    expect((await act(result.id, "undo")).status).toBe(200);
    await runBlockedBy(CLOSING, working);
    await closeThrough(null);
    const undone = await read(result.id);
    expect(undone).toMatchObject({ status: "undone", removed: 1, kept: 1 });
    expect(undone.notes).toMatchObject([
      { about: "kept", problem: expect.stringContaining("December 2019") },
    ]);
    const days = await db().form.findMany({ where: { clientId: client.id }, select: { serviceOn: true } });
    expect(days).toEqual([{ serviceOn: new Date("2019-01-02") }]);
  });
});

describe("a settings list", () => {
  test("refuses a row whose name differs from another only in case", async () => {
    const done = await importRows("ethnicities", "Name\nNeptunian\nneptunian\n\nPlutonian\n");
    expect(done).toMatchObject({ status: "done", created: 2, failed: 1 });
    expect(done.notes).toMatchObject([
      { about: "failed", number: 3, problem: "Name is already taken: “neptunian”" },
    ]);
    expect(await undo(done.id)).toMatchObject({ removed: 2 });
  });

  test("skips a row that exists with the same values, and refuses one with other values", async () => {
    const { code, description } = await db().referralSource.findFirstOrThrow();
    const text = (says: string) => `Code,Description\n${code},"${says}"`;
    const before = await db().referralSource.count();
    expect(await importRows("referral_sources", text(description))).toMatchObject({ repeated: 1, failed: 0 });
    expect(await importRows("referral_sources", text("Other"))).toMatchObject({ created: 0, failed: 1 });
    expect(await db().referralSource.count()).toBe(before);
  });

  test("accepts amounts as exports and spreadsheets write them, and refuses ambiguous ones", async () => {
    const filer = await makeUser(["import", "income-levels"]);
    const amounts = ["1234.5", "$1,234.50", "0", "12,5", "1,23", "$", "0x10", "1e3", "12 5"];
    const lines = amounts.map((amount, at) => `Kiwi ${at};${amount}`);
    const done = await importRows("income_levels", ["Name;Range Start", ...lines].join("\n"), filer);
    expect(done).toMatchObject({ created: 3, failed: 6 });
    for (const { problem } of done.notes) expect(problem).toContain("Range Start must be a number");
    const levels = await db().incomeLevel.findMany({
      where: { name: { startsWith: "Kiwi" } },
      orderBy: { id: "asc" },
    });
    expect(levels.map(({ rangeStart }) => Number(rangeStart))).toEqual([1234.5, 1234.5, 0]);
  });
});

test("common headings are matched, columns show how many values they hold, and errors name the value in words", async () => {
  const text =
    "Full Name,DOB,Phone,Zip,State,Shoe Size\nZelda One,13/40/1984,555,16501,ZZ,38\nZelda Two,,,,PA,39";
  const { body } = await upload("clients", text);
  const { matches, columns, id } = body.import;
  expect(matches).toEqual([
    "name",
    ...["dateOfBirth", "phoneNumber", "postalCode", "state"].map((name) => `clientBiographicalEntry.${name}`),
    "",
  ]);
  expect(columns.map(({ count }: { count: number }) => count)).toEqual([2, 1, 1, 1, 2, 2]);
  expect(columns[0].samples).toEqual(["Zelda One", "Zelda Two"]);
  const tried = await start(id, { dryRun: true });
  const { problem } = tried.notes.find(({ about }: { about: string }) => about === "failed");
  expect(problem).toContain("ZZ is not a US state. Use a code such as PA.");
  expect(problem).toContain("Date of Birth: 13/40/1984 is not a date. Use MM/DD/YYYY");
  await act(id, "cancel");
});

describe("uploading a file", () => {
  test.each([
    ["a file without rows", "Name\n", "no rows"],
    ["an empty body", "", "no rows"],
    ["text that is not UTF-8", new Uint8Array([78, 97, 109, 101, 10, 0xe9, 10]), "not UTF-8"],
    ["a quotation mark that is never closed", 'Name\n"Ada\n', "CSV"],
    ["an invalid workbook", "PK\u0003\u0004 nothing more", "not a readable Excel file"],
    ["1,001 headings", `Name${",".repeat(1_000)}\nAda`, "more than 1,000 columns"],
    ["1,001 cells in a later row", `Name\nAda${",".repeat(1_000)}`, "more than 1,000 columns"],
    ["a heading of 256 characters", `Name,${"x".repeat(256)}\nAda`, "heading of more than 255 characters"],
    ["1,048,577 rows", `Name\nAda${"\n".repeat(1_048_577)}`, "more than 1,048,576 rows"],
  ])("refuses %s with 422 and stores nothing", async (_, raw, says) => {
    const before = await db().import.count();
    const { status, body } = await upload("clients", raw);
    expect(status).toBe(422);
    expect(body.fields.file).toContain(says);
    expect(await db().import.count()).toBe(before);
    expect(await rows(sql`SELECT FROM import_parts`)).toEqual([]);
  });

  const row = `<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>`;
  // An incompressible comment, so that the compression ratio of the part around it does not look like an
  // attack.
  const noise = (bytes: number) => `<!--${randomBytes(bytes).toString("hex")}-->`;
  const sharedStrings = (texts: string) => ({ "xl/sharedStrings.xml": `<sst>${texts}</sst>` });
  const styles = (xml: string) => ({ "xl/styles.xml": `<styleSheet>${xml}</styleSheet>` });
  const parts = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`xl/media/${at}.png`, ""]));

  const entities = [
    `<!ENTITY outside SYSTEM "file:///etc/passwd"><!ENTITY a0 "laugh">`,
    ...Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`),
  ];
  const declared = `<?xml version="1.0"?><!DOCTYPE sst [${entities.join("")}]>`;
  const sheetOf = (name: string) =>
    `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${name}</t></is></c></row></sheetData></worksheet>`;

  test.each<[string, string, Record<string, string>, string]>([
    [
      "entities that multiply",
      row,
      { "xl/sharedStrings.xml": `${declared}<sst><si><t>Name</t></si><si><t>&a9;</t></si></sst>` },
      "not a readable Excel file",
    ],
    [
      "an entity that names a file of the server",
      row,
      { "xl/worksheets/sheet1.xml": declared + sheetOf("&outside;") },
      "not a readable Excel file",
    ],
    [
      "an entity that it does not declare",
      row,
      { "xl/worksheets/sheet1.xml": sheetOf("&outside;") },
      "not a readable Excel file",
    ],
    [
      "endless empty texts",
      row,
      sharedStrings(noise(110_000) + "<si/>".repeat(2_100_000)),
      "too many text values",
    ],
    [
      "a text without an end",
      row,
      sharedStrings(`${noise(20_000)}<si><t>${"x".repeat(1_200_000)}</t></si>`),
      "too long",
    ],
    [
      "a row of the same long text",
      row.replace("</c>", `</c>${"<c t='s'><v>2</v></c>".repeat(99)}`),
      sharedStrings(`<si><t>Name</t></si><si/><si><t>${"x".repeat(32_000)}</t></si>`),
      "row that is too long",
    ],
    ["tags within each other", row, sharedStrings("<a>".repeat(5_000)), "not a readable Excel file"],
    [
      "endless styles",
      row,
      styles(`${noise(10_000)}<cellXfs>${'<xf numFmtId="14"/>'.repeat(70_000)}</cellXfs>`),
      "too many styles",
    ],
    ["a cell far to the right", `<row r="1"><c r="ZZZ1"/></row>`, {}, "more than 1,000 columns"],
    ["a row far below", `${row}<row r="1048578"/>`, {}, "more than 1,048,576 rows"],
    ["a row without a number", `<row r="x"/>`, {}, "not a readable Excel file"],
    ["a million empty rows in a few bytes", row + "<row/>".repeat(1_000_000), {}, "too much content"],
    [
      "a heading of 256 characters",
      row,
      sharedStrings(`<si><t>${"x".repeat(256)}</t></si><si><t>Ada</t></si>`),
      "heading of more than 255 characters",
    ],
    [
      "a cell in no column",
      `<row r="1"><c r="${"1".repeat(300_000)}x"/></row>`,
      {},
      "not a readable Excel file",
    ],
    ["more than 1,000 parts", row, parts, "too many parts"],
  ])("answers 422 for a workbook with %s", async (_, cells, others, says) => {
    const file = new Uint8Array(workbook(cells, ["Name", "Ada"], others));
    expect(file.length).toBeLessThan(300_000);
    const { status, body } = await upload("clients", file);
    expect(status).toBe(422);
    expect(body.fields.file).toContain(says);
  });

  test("answers 422 for a workbook with more than 5,000,000 cells, filled or not", async () => {
    expect(WORKBOOK.mostCells).toBe(5_000_000);
    const most = vi.spyOn(WORKBOOK, "mostCells", "get").mockReturnValue(3);
    try {
      const statuses = await Promise.all(
        ["<c/>", "<c/><c/>"].map(async (more) => {
          const file = workbook(row.replace(/<\/row>$/, `${more}</row>`), ["Name", "Ada"]);
          const { status, body } = await upload("clients", new Uint8Array(file));
          if (status === 201) await act(body.import.id, "cancel");
          return status;
        }),
      );
      expect(statuses).toEqual([201, 422]);
    } finally {
      most.mockRestore();
    }
  });

  test("reads a file whose lines end with only a carriage return, and counts its columns per line", async () => {
    const { status, body } = await upload("clients", `Name,City\r${"Ada,Erie\r".repeat(1_200)}`);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.import.rows).toBe(1_200);
    await act(body.import.id, "cancel");
  });

  test("accepts a file of 1,000 columns with headings of 255 characters", async () => {
    const headings = ["Name", "x".repeat(255), ...Array.from({ length: 998 }, (_, at) => `Column ${at}`)];
    const { status, body } = await upload("clients", `${headings.join()}\nAda${",".repeat(999)}`);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.import.matches.filter((key: string) => key !== "")).toEqual(["name"]);
    await act(body.import.id, "cancel");
  });

  test("reads a directory of 900 parts without decrypting its piece for each of them", async () => {
    const few = Object.fromEntries(Object.entries(parts).slice(0, 900));
    const query = vi.spyOn(pool(), "query");
    const { status, body } = await upload("clients", new Uint8Array(workbook(row, ["Name", "Ivy"], few)));
    const reads = query.mock.calls.filter((call) => JSON.stringify(call).includes("FROM import_parts"));
    query.mockRestore();
    expect(status, JSON.stringify(body)).toBe(201);
    expect(reads.length).toBeLessThan(5);
    await act(body.import.id, "cancel");
  });

  test("needs the permission for the imported records, and hides the import without it", async () => {
    const outsider = await makeUser(["import", "canines"]);
    expect((await upload("clients", "Name\nAda", outsider)).status).toBe(403);
    const { body } = await upload("clients", "Name\nHilda");
    const { id } = body.import;
    expect((await call(outsider.cookie, "GET", `/api/imports/${id}`)).status).toBe(404);
    expect((await act(id, "cancel", undefined, outsider)).status).toBe(404);
    const { imports } = (await call(outsider.cookie, "GET", "/api/imports")).body;
    expect(imports).toEqual([]);
    await act(id, "cancel");
  });

  test("names columns that do not match", async () => {
    const { body } = await upload("clients", "Name,City\nIda,Erie");
    const { id } = body.import;
    const tryMatches = (matches: string[], ownerId: number | null = null) =>
      act(id, "start", { import: { dryRun: true, matches, ownerId } });
    for (const [matches, says] of [
      [["name"], "for each column"],
      [["", "name.other"], "is not a field"],
      [["name", "name.first"], "the whole name, or its parts"],
      [["name", "name"], "two columns"],
      [["", ""], "Client Name needs a column"],
    ] as const) {
      const { status, body } = await tryMatches([...matches]);
      expect(status).toBe(422);
      expect(body.fields["import.matches"]).toContain(says);
    }
    expect((await tryMatches(["name", ""], 999_999)).body.fields).toHaveProperty(["import.ownerId"]);
    await act(id, "cancel");
  });
});

test("a purge deletes what imports store about the client and the client's forms", async () => {
  const about = (id: number) =>
    rows(
      sql`SELECT key AS what FROM import_rows WHERE kind = 'clients' AND record_id = ${id}
         OR kind = 'forms' AND record_id IN (SELECT id FROM forms WHERE client_id = ${id})
       UNION ALL SELECT about FROM import_notes WHERE ${id} = ANY(clients)`,
    );
  await call(reader.cookie, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
  const imported = await importRows("clients", "Id,Name,City\nolga-1,Olga Old,none");
  const [{ id = 0 } = {}] = await clientsNamed("Olga Old");
  const heads = "Id,Client Id,Form Type,Service On,Service Status";
  const text = `${heads}\nolga-a,olga-1,Service,03/04/2015,Served\nolga-b,olga-1,Service,03/04/2015,Whale`;
  const result = await importRows("forms", text);
  expect(result).toMatchObject({ created: 1, failed: 1, notes: [{ clients: [{ name: "Olga Old" }] }] });
  await db().clientRestriction.create({ data: { clientId: id, userId: importer.id } });
  expect(await read(result.id)).toMatchObject({ failed: 0, notes: [] });
  const readRefusedRows = () => call(importer.cookie, "GET", `/api/imports/${result.id}/failed.csv`);
  expect((await readRefusedRows()).body).not.toContain("Whale");
  await db().clientRestriction.deleteMany();
  expect((await readRefusedRows()).body).toContain("Whale");
  await importRows("clients", "Name\nOlga Old");
  expect(await about(id)).toHaveLength(5);
  expect((await read(imported.id)).blanks).toMatchObject([{ text: "none" }]);
  await rows(sql`UPDATE forms SET updated_at = now() - interval '8 years' WHERE client_id = ${id}`);
  await rows(sql`UPDATE clients SET updated_at = now() - interval '8 years' WHERE id = ${id}`);
  expect((await call(reader.cookie, "POST", "/api/retention/purge", { ids: [id] })).body).toMatchObject({
    done: [id],
  });
  expect(await about(id)).toEqual([]);
  expect((await read(imported.id)).blanks).toEqual([]);
  expect((await readRefusedRows()).body).not.toContain("Whale");
});

test("a waiting file and its refused rows are stored encrypted", async () => {
  const word = "Kanarienvogel";
  const { body } = await upload("clients", `Name,Date of Birth\n${word},02/30/1984`);
  await start(body.import.id, { dryRun: true });
  const parts = await rows<{ bytes: Buffer }>(
    sql`SELECT sealed AS bytes FROM import_parts UNION ALL SELECT sealed FROM import_notes WHERE import_id = ${body.import.id}`,
  );
  // The file, and notes with its headings, survey, mapping, problems, and refused row.
  expect(parts).toHaveLength(7);
  for (const { bytes } of parts) expect(bytes.includes(word)).toBe(false);
  await act(body.import.id, "cancel");
});

test("an uploaded file that is never imported is deleted after seven days, and an interrupted upload after one", async () => {
  const statuses = { waiting: 7, checked: 7, uploading: 1 };
  for (const [status, days] of Object.entries(statuses)) {
    const { body } = await upload("clients", "Name\nOld File");
    const { id } = body.import;
    const age = (hours: number) =>
      rows(
        sql`UPDATE imports SET status = ${status}, created_at = now() - make_interval(hours => ${days * 24 + hours})
         WHERE id = ${id}`,
      );
    const parts = () => rows(sql`SELECT number FROM import_parts WHERE import_id = ${id}`);
    await age(-1);
    await sweep();
    expect(await parts(), status).toHaveLength(1);
    await age(1);
    await sweep();
    expect(await parts(), status).toEqual([]);
    expect((await call(importer.cookie, "GET", `/api/imports/${id}`)).status, status).toBe(404);
  }
});

test("the headings of a file, which may contain client data, are stored encrypted and hidden once the import has ended", async () => {
  const word = "Zeisigfink";
  const { body } = await upload("clients", `Name,${word}\nKara One,x`);
  expect(body.import.headings).toEqual(["Name", word]);
  const stored = await rows<{ text: string }>(
    sql`SELECT i::text AS text FROM imports i WHERE id = ${body.import.id}`,
  );
  expect(JSON.stringify(stored)).not.toContain(word);
  expect(await start(body.import.id)).toMatchObject({ created: 1, headings: [] });
});

test("refused rows are available for seven days, only to the user who uploaded the file, and each download is recorded", async () => {
  const sender = await makeUser(["import", "clients"]);
  const other = await makeUser(["import", "clients", "export"]);
  const { body } = await upload("clients", "Name,Gender\nLena One,Whale", sender);
  const { id, matches } = body.import;
  await act(id, "start", { import: { dryRun: false, matches } }, other);
  await working();
  const readRefusedRows = (by: Person) => call(by.cookie, "GET", `/api/imports/${id}/failed.csv`);
  expect((await readRefusedRows(other)).status).toBe(403);
  expect(await read(id, other)).toMatchObject({ failed: 1, refusedRows: false });
  expect((await readRefusedRows(sender)).body).toContain("Lena One,Whale");
  const exported = sql`SELECT FROM audit_events WHERE entity = 'import' AND action = 'exported' AND entity_id = ${id}`;
  expect(await rows(exported)).toHaveLength(1);
  const age = (hours: number) =>
    rows(
      sql`UPDATE imports SET finished_at = now() - make_interval(hours => ${7 * 24 + hours}) WHERE id = ${id}`,
    );
  const kept = () =>
    rows(sql`SELECT FROM import_notes WHERE import_id = ${id} AND about IN ('failed', 'cells')`);
  await age(-1);
  await sweep();
  expect(await kept()).toHaveLength(2);
  await age(1);
  expect(await read(id, sender)).toMatchObject({ refusedRows: false });
  expect((await readRefusedRows(sender)).status).toBe(403);
  await sweep();
  expect(await kept()).toEqual([]);
});

test("clients with similar names are shown for each row, by spelling, sound and initial, and so are similar rows", async () => {
  const ids: number[] = [];
  for (const name of ["Katarina Zwicker", "Zwicker, Katharina", "Q Zwicker"])
    ids.push((await makeClient(colleague, { name })).id);
  const [first, second, third] = ids;
  const people = ["Catherina Zwikker", "Quentin Zwicker", "Brunhild Yxkull", "Brunhilt Yxkul", "Zeno Abel"];
  // The last rows are in another chunk than the rows they are similar to.
  const others = Array.from({ length: 60 }, (_, at) => `Unrelated${"abcdefghij"[at % 10]} ${at}`);
  const text = ["Name", ...people, ...others, "Yxkull Brunhild", "Katharina Zwicker"].join("\n");
  const { body } = await upload("clients", text);
  const notesByRow = async (dryRun: boolean) => {
    const { notes } = await start(body.import.id, { dryRun });
    return new Map<number, { problem: string; clients: number[] }>(
      notes
        .filter(
          ({ about, number }: { about: string; number: number }) =>
            about === "similar" && (number < 7 || number > 66),
        )
        .map(
          ({ number, problem, clients }: { number: number; problem: string; clients: { id: number }[] }) => [
            number,
            { problem, clients: clients.map(({ id }) => id).sort((a, b) => a - b) },
          ],
        ),
    );
  };
  const tried = await notesByRow(true);
  expect([...tried]).toEqual([
    [2, { problem: "(Catherina Zwikker) may be the same person as", clients: [first, second] }],
    [3, { problem: "(Quentin Zwicker) may be the same person as", clients: [third] }],
    [5, { problem: "(Brunhilt Yxkul) may be the same person as row 4 (Brunhild Yxkull)", clients: [] }],
    [67, { problem: "(Yxkull Brunhild) may be the same person as row 4 (Brunhild Yxkull)", clients: [] }],
    [
      68,
      {
        problem: "(Katharina Zwicker) may be the same person as row 2 (Catherina Zwikker) or",
        clients: [first, second],
      },
    ],
  ]);
  const notes = await notesByRow(false);
  expect([...notes.keys()]).toEqual([...tried.keys()]);
  // By now the earlier rows are clients.
  const [brunhild] = await clientsNamed("Brunhild Yxkull");
  expect(notes.get(67)?.clients).toContain(brunhild?.id);
  expect(notes.get(5)).toEqual(tried.get(5));
  expect(await clientsNamed("Katharina Zwicker")).toHaveLength(1);
});

test("an import and its undo reveal nothing about a client who was since hidden from the importing user", async () => {
  const hide = (clientId: number) =>
    db().clientRestriction.create({ data: { clientId, userId: importer.id, createdById: reader.id } });
  const before = await makeClient(colleague, { name: "Mona One" });
  const result = await importRows("clients", "Name\nMona One\nMona Two");
  expect(result).toMatchObject({ similar: 1, notes: [{ about: "similar", clients: [{ id: before.id }] }] });
  const [made] = await clientsNamed("Mona Two");
  await hide(before.id);
  expect(await read(result.id)).toMatchObject({ similar: 0, notes: [] });
  await hide(made?.id ?? 0);
  expect(await undo(result.id)).toMatchObject({ status: "undone", removed: 1, kept: 0, notes: [] });
  const { imports } = (await call(importer.cookie, "GET", "/api/imports")).body;
  expect(imports[0]).toMatchObject({ id: result.id, similar: 0, kept: 0 });
  await db().clientRestriction.deleteMany();
  expect(await read(result.id)).toMatchObject({ similar: 1, kept: 1 });
});

describe("an External Id of a client who is restricted from the importer", () => {
  let clerk: Person;
  let director: Person;
  const hide = (clientId: number, from: Person) =>
    db().clientRestriction.create({ data: { clientId, userId: from.id, createdById: director.id } });
  const counts = ({ created, repeated, failed }: Record<string, number>) => ({ created, repeated, failed });
  const tryOut = async (kind: string, text: string, by: Person) => {
    const { id } = (await upload(kind, text, by)).body.import;
    const tried = await start(id, { dryRun: true, by });
    await act(id, "cancel", undefined, by);
    return tried;
  };
  /** Creates a client named `name` who was imported with this Id and then restricted from the clerk. */
  async function hiddenClient(externalId: string, name: string): Promise<number> {
    await importRows("clients", `Id,Name\n${externalId},${name}`);
    const [{ id = 0 } = {}] = await clientsNamed(name);
    await hide(id, clerk);
    return id;
  }
  const duplicatesFor = async (person: Person) => (await homeOf(await actorFor(person))).duplicates;

  beforeAll(async () => {
    clerk = await makeUser(["import", "clients", "forms", "export"]);
    director = await makeUser(["import", "clients", "forms", "all-forms", "restrict-clients"]);
  });

  test("behaves like an unknown Id: in a dry run, an import, a repeated import and an undo", async () => {
    const hiddenId = await hiddenClient("quinn-1", "Quinn Hidden");
    const file = (id: string, name: string) => `Id,Name\n${id},${name}`;
    const outcome = async (id: string, name: string) => {
      const outcomes: unknown[] = [];
      outcomes.push(counts(await tryOut("clients", file(id, name), clerk)));
      const first = await importRows("clients", file(id, name), clerk);
      outcomes.push(counts(first), first.notes);
      outcomes.push(counts(await tryOut("clients", file(id, name), clerk)));
      outcomes.push(counts(await importRows("clients", file(id, name), clerk)));
      await act(first.id, "undo", undefined, clerk);
      await working();
      const { status, removed, kept } = await read(first.id, clerk);
      outcomes.push({ status, removed, kept }, counts(await importRows("clients", file(id, name), clerk)));
      return outcomes;
    };
    expect(await outcome("quinn-1", "Quinn Known")).toEqual(await outcome("quinn-2", "Xaver Unknown"));
    // The hidden record keeps its key for users who may see it.
    expect(await clientsNamed("Quinn Hidden")).toMatchObject([{ id: hiddenId }]);
    expect(await importRows("clients", file("quinn-1", "Quinn Hidden"))).toMatchObject({ repeated: 1 });
  });

  test("links a form to the importer's own record, and without one is refused as unknown, whatever name the row has", async () => {
    const hiddenId = await hiddenClient("rhea-1", "Rhea Hidden");
    await makeClient(clerk, { name: "Rhea Visible" });
    const form = (id: string, client: string, name = "", day = "03/04/2021") =>
      `Id,Client Id,Client,Form Type,Service On,Service Status\n${id},${client},${name},Service,${day},Served`;
    const byName = await tryOut("forms", form("rhea-a", "rhea-1", "Rhea Visible"), clerk);
    expect(counts(byName)).toEqual(
      counts(await tryOut("forms", form("rhea-a", "nobody", "Rhea Visible"), clerk)),
    );
    const refused = await tryOut("forms", form("rhea-b", "rhea-1"), clerk);
    const unknown = await tryOut("forms", form("rhea-b", "nobody"), clerk);
    expect(counts(refused)).toEqual({ created: 0, repeated: 0, failed: 1 });
    expect(JSON.stringify(refused.notes).replaceAll("rhea-1", "nobody")).toBe(JSON.stringify(unknown.notes));

    await importRows("clients", "Id,Name\nrhea-1,Rhea Own", clerk);
    const [{ id: own } = {}] = await clientsNamed("Rhea Own");
    expect(await importRows("forms", form("rhea-b", "rhea-1"), clerk)).toMatchObject({ created: 1 });
    expect(await importRows("forms", form("rhea-c", "rhea-1"))).toMatchObject({ created: 1 });
    const clientsOf = async (person: Person) =>
      (
        await db().form.findMany({ where: { userId: person.id, clientId: { in: [own ?? 0, hiddenId] } } })
      ).map(({ clientId }) => clientId);
    expect(await clientsOf(clerk)).toEqual([own]);
    expect(await clientsOf(importer)).toEqual([hiddenId]);

    // The Id of a form whose client is hidden is treated as unknown too.
    expect(counts(await tryOut("forms", form("rhea-c", "rhea-1"), clerk))).toMatchObject({
      created: 1,
      repeated: 0,
    });

    // Once the restriction is lifted, each importer still gets their own record.
    await db().clientRestriction.deleteMany();
    expect(await importRows("clients", "Id,Name\nrhea-1,Rhea Own", clerk)).toMatchObject({
      created: 0,
      repeated: 1,
    });
    expect(await importRows("forms", form("rhea-d", "rhea-1", "", "03/05/2021"), clerk)).toMatchObject({
      created: 1,
    });
    expect(await clientsOf(clerk)).toEqual([own, own]);
  });

  test("is shown as a possible duplicate to holders of Restrict Clients who see both, until a merge or purge", async () => {
    const hiddenId = await hiddenClient("sven-1", "Sven Hidden");
    await importRows("clients", "Id,Name\nsven-1,Sven Second", clerk);
    const [second] = await clientsNamed("Sven Second");
    const pair = {
      first: { id: hiddenId, name: "Sven Hidden" },
      second: { id: second?.id, name: "Sven Second" },
    };
    expect(await duplicatesFor(director)).toContainEqual(pair);
    expect(await duplicatesFor(importer)).toBeNull();
    expect(await duplicatesFor(clerk)).toBeNull();
    const related = await makeUser(["clients", "restrict-clients"]);
    await hide(hiddenId, related);
    expect(await duplicatesFor(related)).not.toContainEqual(pair);
    const kept = await db().client.findUniqueOrThrow({ where: { id: hiddenId } });
    const merging = {
      client: { ...toWire(clientSchema, { ...kept, custom: {} }), lockVersion: 0 },
      other: { id: second?.id, lockVersion: 0 },
    };
    const merged = await call(director.cookie, "POST", `/api/clients/${hiddenId}/merge`, merging);
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    expect(await duplicatesFor(director)).not.toContainEqual(expect.objectContaining({ first: pair.first }));
    // The merged record is hidden like the one that remains.
    expect(counts(await tryOut("clients", "Id,Name\nsven-1,Sven Third", clerk))).toMatchObject({
      created: 1,
    });
    await db().clientRestriction.deleteMany();
  });
});

describe("undoing an import", () => {
  test("keeps a client into whom another one was merged since", async () => {
    const other = await makeClient(colleague, { name: "Tilda Older" });
    const result = await importRows("clients", "Name\nTilda Imported");
    const target = await db().client.findFirstOrThrow({ where: { name: "Tilda Imported" } });
    const merging = {
      client: { ...toWire(clientSchema, { ...target, custom: {} }), lockVersion: 0 },
      other: { id: other.id, lockVersion: 0 },
    };
    const merged = await call(importer.cookie, "POST", `/api/clients/${target.id}/merge`, merging);
    expect(merged.status, JSON.stringify(merged.body)).toBe(200);
    const undone = await undo(result.id);
    expect(undone).toMatchObject({ removed: 0, kept: 1 });
    expect(undone.notes).toMatchObject([{ about: "kept", problem: "Another client was merged into it." }]);
    expect(await clientsNamed("Tilda Imported")).toHaveLength(1);
  });

  test("treats a client who is restricted from the user like one who was deleted", async () => {
    const outcome = async (name: string, away: (id: number) => Promise<unknown>) => {
      const result = await importRows("clients", `Name\n${name}`);
      const [{ id = 0 } = {}] = await clientsNamed(name);
      await away(id);
      const first = await act(result.id, "undo");
      await working();
      const { notes, ...counted } = await read(result.id);
      const second = await act(result.id, "undo");
      await working();
      return [first.status, counted.removed, counted.kept, notes, second.status];
    };
    const forHidden = await outcome("Ottokar Restricted", (clientId) =>
      db().clientRestriction.create({ data: { clientId, userId: importer.id } }),
    );
    const forRemoved = await outcome("Philomena Removed", (id) =>
      call(colleague.cookie, "DELETE", `/api/clients/${id}`),
    );
    await db().clientRestriction.deleteMany();
    expect(forHidden).toEqual(forRemoved);
  });

  test("happens once when two users request it at the same time", async () => {
    const result = await importRows("clients", "Name\nWilma One\nWilma Two");
    const answers = await Promise.all([act(result.id, "undo"), act(result.id, "undo")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await Promise.all([working(), working()]);
    expect(await read(result.id)).toMatchObject({ status: "undone", done: 2, removed: 2, kept: 0 });
  });

  test("while importing the same file leaves each row either imported or not, and the next import adds the rest", async () => {
    const text = `Id,Name\n${Array.from({ length: 70 }, (_, at) => `yara-${at},Yara ${at}`).join("\n")}`;
    const done = await importRows("clients", text);
    const { id } = (await upload("clients", text)).body.import;
    const { matches } = await read(id);
    await act(done.id, "undo");
    await act(id, "start", { import: { dryRun: false, matches, ownerId: null } });
    await Promise.all([working(), working()]);
    await importRows("clients", text);
    expect(await db().client.count({ where: { name: { startsWith: "Yara " } } })).toBe(70);
    expect(await importRows("clients", text)).toMatchObject({ created: 0, repeated: 70 });
  });
});
