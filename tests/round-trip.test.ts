import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { clientColumns } from "@/lib/clients/columns";
import { clientSchema } from "@/lib/clients/schema";
import { GENDERS } from "@/lib/clients/words";
import { contactStore } from "@/lib/contacts/contacts";
import { PERMISSION_NAMES, type Permission, permissionKey } from "@/lib/core/access/permissions";
import type { FileFormat } from "@/lib/core/api/list-file";
import { closeDatabase, db } from "@/lib/core/database/client";
import type { FileColumn } from "@/lib/core/fields/columns";
import { type FieldKind, fieldsOf } from "@/lib/core/fields/facts";
import { toWire } from "@/lib/core/fields/wire";
import { isRecord } from "@/lib/core/objects";
import { env } from "@/lib/core/process/env";
import { formColumns } from "@/lib/forms/columns";
import { lookupColumns } from "@/lib/lookups/columns";
import { type Lookup, type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";
import { stayColumns } from "@/lib/shelter/columns";
import { runImports } from "@/lib/transfer/imports/run";
import { type ImportKind, importKinds } from "@/lib/transfer/imports/words";
import { formTypes } from "@/prisma/seed-data";
import { call, signIn } from "@/tests/call";
import {
  fullClient,
  fullForm,
  makeClient,
  makeForm,
  makeUser,
  minimalForm,
  type Person,
} from "@/tests/factories";
import { copyDatabase } from "@/tests/setup/copy";

// Moving an installation: its exports are imported into an empty installation, whose exports must then be
// equal.

const LINES = [
  "=1+1",
  "'=1+1",
  "''=1+1",
  "'quoted'",
  "+1 555",
  "-2",
  "@sum",
  "=",
  "'",
  ...["0012", "1e5", "TRUE", "Yes", "None", "02/03/1990", "#12", ",", ";", '"'],
  "  at both ends  ",
  "\u00A0 no break \u00A0",
  "e\u0301 é ﬁ",
  "مرحبا שלום",
  "👩‍👩‍👧 🕊️",
  ...['O\'Brien, "Bo"; Zoë\\', "<b>&amp;</b> _x000D_", "x".repeat(255), "🕊".repeat(127)],
];
const TEXTS = [
  "two\nlines",
  "\r\nreturns\r\nand all\r\n",
  "\n=1+1",
  "\ttab",
  "\r=1",
  "'\t=",
  " ",
  "\n\n",
  ...['"\n",;\n\'', "'=\n'=", "_x000d_ _x005F_x000D_", "bell \u0007 escape \u001B", "\u0085\u2028 ends"],
  ...["🕊\n".repeat(3_000), "x".repeat(10_000), ...LINES],
];
/** Names in lists. A cell can contain several of them. */
const NAMES = ["One; two", "=1+1", "'=1+1", '“Q”, "twice"', "مرحبا", "🕊️ dove", "n".repeat(255), "#7"];

const permissions = PERMISSION_NAMES.map((name) => permissionKey(name) as Permission);
const lists = lookupKeys.filter((key) => key !== "users" && key !== "roles");

let person: Person;

const send = async (method: "POST" | "PUT" | "DELETE", url: string, body?: unknown) => {
  const answer = await call(person.cookie, method, url, body);
  expect(answer.status, `${url} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};

/** The field names of a kind, with the texts they get in turn. */
function oddFields(kind: FieldKind, texts: readonly string[]) {
  const columns = [...clientColumns(), ...formColumns()].filter(({ facts }) => facts?.kind === kind);
  const names = new Set(columns.map(({ path }) => path.at(-1)));
  let turn = 0;
  const next = () => {
    turn += 1;
    return texts[turn % texts.length] ?? "";
  };
  return { names, next };
}
/** A phone number has a digit and at most 40 characters. */
const PHONES = LINES.filter((text) => /\d/.test(text) && text.length <= 40);
const odd = [
  { ...oddFields("text", PHONES), names: new Set<string | undefined>(["phoneNumber"]) },
  oddFields("text", LINES),
  oddFields("longText", TEXTS),
];

/** Returns the same values with another unusual text in each field that has one. */
function withOddTexts<Value>(value: Value, name = ""): Value {
  if (typeof value === "string" && value !== "")
    return (odd.find(({ names }) => names.has(name))?.next() ?? value) as Value;
  if (Array.isArray(value)) return value.map((one) => withOddTexts(one)) as Value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withOddTexts(inner, key)]),
  ) as Value;
}

/** Returns the same values with every checkbox inverted, and without their nested records. */
function withInvertedFlags(values: object, depth = 0): object {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => {
      if (typeof value === "boolean") return [[key, !value]];
      if (value === "M" || value === "CT") return [[key, "PF"]];
      if (!isRecord(value)) return [[key, value]];
      return depth < 2 ? [[key, withInvertedFlags(value, depth + 1)]] : [];
    }),
  );
}

/** Returns a value for each number of a list. */
function numbersIn(list: LookupKey, value: number) {
  const { schema }: Lookup = lookups[list];
  const numbers = fieldsOf(schema).filter(({ facts }) => ["whole", "count", "money"].includes(facts.kind));
  return Object.fromEntries(numbers.map(({ name }) => [name, value]));
}

async function fillLists() {
  for (const list of lists) {
    const { singular } = lookups[list];
    for (const [at, name] of NAMES.entries()) {
      const values = {
        ...numbersIn(list, at + 1),
        name,
        code: name,
        description: TEXTS[at]?.trim() || "–",
        rangeStart: list === "age_brackets" ? 2_147_483_647 - at : [0.01, 9_999_999_999.99, 12.5][at % 3],
        sortOrder: list === "form_types" ? at : -at,
        formTypeIds: [1 + (at % formTypes.length)],
        canBeMagistrate: at % 2 === 0,
        onCallMainType: true,
        hasReferral: at % 3 === 0,
        kind: ["In-house", "Hotel or motel", "Safe home", "Transitional"][at % 4],
        beds: at,
      };
      await send("POST", `/api/${list}`, { [singular]: values });
    }
  }
  // Changes that administrators made to the defaults.
  const { educationLevels } = (await call(person.cookie, "GET", "/api/education_levels?perPage=100")).body;
  await send("PUT", `/api/education_levels/${educationLevels[0].id}`, {
    educationLevel: { name: educationLevels[0].name, sortOrder: 7 },
  });
  const { secondaryVictimizations } = (
    await call(person.cookie, "GET", "/api/secondary_victimizations?perPage=100")
  ).body;
  const [first] = secondaryVictimizations;
  await send("DELETE", `/api/secondary_victimizations/${first.id}`);
  await send("POST", "/api/secondary_victimizations", { secondaryVictimization: { name: first.name } });
  const { custodyStatuses } = (await call(person.cookie, "GET", "/api/custody_statuses?perPage=100")).body;
  await send("DELETE", `/api/custody_statuses/${custodyStatuses[2].id}`);
}

async function fillRecords() {
  const colleague = await makeUser(permissions);
  const full = await fullClient();
  const bodies = LINES.map((name, at) =>
    withOddTexts({
      ...full,
      name,
      relationshipToSurvivor: "x",
      clientDemographicEntryAttributes: {
        ...full.clientDemographicEntryAttributes,
        gender: GENDERS[at % GENDERS.length],
      },
    }),
  );
  const clients: { id: number }[] = [];
  for (const [at, body] of bodies.entries())
    clients.push(await makeClient(at % 2 ? person : colleague, { ...body, name: LINES[at]?.trim() }));
  clients.push(await makeClient(person, { name: "Twice" }), await makeClient(colleague, { name: "Twice" }));
  await makeClient(person, { ...withInvertedFlags(full), name: "Otherwise" });

  const several = await db().secondaryVictimization.findMany({ orderBy: { id: "desc" } });
  const secondaryVictimizationIds = several.map(({ id }) => id);
  const [canine] = await db().canine.findMany({ where: { name: "One; two" } });
  const types = formTypes.flatMap(({ name }) => (["M", "CT"] as const).map((place) => ({ name, place })));
  for (const [at, { name, place }] of types.entries()) {
    const clientId = clients[at]?.id ?? 0;
    const form = await fullForm(name, clientId, place);
    const { survivorEntryAttributes: survivor } = form.intakeFormAttributes;
    if (survivor) Object.assign(survivor, { secondaryVictimizationIds });
    const bare = { ...withInvertedFlags(form), serviceStatus: "Served", serviceStatusEntryAttributes: null };
    await makeForm(
      person,
      withOddTexts({ ...form, ...(name !== "Phone" && { canineId: canine?.id }) }),
      clientId,
    );
    await makeForm(colleague, { ...bare, serviceOn: "2025-12-31" }, clientId);
    await makeForm(person, minimalForm(clientId, form.formTypeId), clients.at(-1 - at)?.id);
  }
  // A service twice, and in another order than that of the codes.
  const codes = await db().serviceCode.findMany({
    where: { formTypes: { some: { formType: { name: "Service" } } } },
    orderBy: { id: "desc" },
  });
  const given = [...codes, ...codes].map(({ id }, index) => ({ serviceCodeId: id, minutes: 1440 - index }));
  const { id } = await makeForm(person, {
    serviceEntryAttributes: { serviceProvidedEntriesAttributes: given, otherServiceMinutes: 0 },
  });
  await send("POST", `/api/forms/${id}/reconcile`, { reconciled: true });

  const kinds = await db().contactKind.findMany();
  const source = await db().referralSource.findFirstOrThrow({ where: { code: "=1+1" } });
  for (const [at, gender] of GENDERS.entries()) {
    const contact = {
      contactedOn: "2025-06-01",
      contactKindId: kinds.at(-1 - at)?.id,
      number: 1 + at,
      minutes: 7 * at,
      gender,
      ...(at % 2 === 0 && { shelterRequested: true, adults: at, children: 2, turnedAwayReason: "capacity" }),
      referralSourceId: at > 2 ? source.id : null,
    };
    // Two calls that are alike.
    for (let call = 0; call < 2; call++) await send("POST", "/api/contacts", { contact });
  }

  const shelters = await db().shelter.findMany({ orderBy: { id: "asc" } });
  const exits = await db().exitDestination.findMany({ orderBy: { id: "desc" } });
  for (const [at, shelter] of shelters.entries()) {
    const leftOn = at % 3 === 0 ? null : `2025-03-${10 + at}`;
    const stay = {
      clientId: clients[at]?.id,
      shelterId: shelter.id,
      enteredOn: "2025-03-10",
      leftOn,
      adults: at,
      childrenThirteenToSeventeen: at % 2,
      childrenUnderThirteen: 99 - at,
      exitDestinationId: leftOn && (exits[at]?.id ?? null),
      medicalAdvocacy: at % 2 === 0,
    };
    await send("POST", "/api/stays", { stay });
    if (leftOn)
      await send("POST", "/api/stays", {
        stay: { ...stay, enteredOn: leftOn, leftOn: null, exitDestinationId: null },
      });
  }

  const target = await makeClient(person, { name: "Kept" });
  const other = await makeClient(person, { name: "Merged" });
  await makeForm(person, {}, other.id);
  const { lockVersion } = (await call(person.cookie, "GET", `/api/clients/${other.id}`)).body.client;
  await send("POST", `/api/clients/${target.id}/merge`, {
    client: toWire(clientSchema, target),
    other: { id: other.id, lockVersion },
  });
  const { id: removed } = await makeClient(person, { name: "Removed" });
  await send("DELETE", `/api/clients/${removed}`);
  await db().user.update({ where: { id: colleague.id }, data: { active: false } });
  const some = { id: { in: clients.map(({ id }) => id).filter((id) => id % 3 === 0) } };
  await db().client.updateMany({ where: some, data: { createdOn: new Date("2019-03-04") } });
}

async function file(path: string) {
  const answer = await call(person.cookie, "GET", `/api/${path}`);
  expect(answer.status).toBe(200);
  return answer;
}

/** The kinds of which a list has a file. Files of group sessions name nobody, so no import can read them. */
const isListed = (kind: ImportKind): kind is ListedKind => kind !== "attendances";
const listedKinds = importKinds.filter(isListed);
type ListedKind = Exclude<ImportKind, "attendances">;
type Files = Record<ListedKind, Uint8Array<ArrayBuffer>>;

/** Returns every file that the importer of another installation gets. */
async function exportAll(format: FileFormat): Promise<Files> {
  const files: Partial<Files> = {};
  for (const kind of listedKinds) {
    const filters = kind === "forms" ? "&filters[formStatus]=all" : "";
    files[kind] = new Uint8Array((await file(`${kind}.${format}?columns=all${filters}`)).bytes);
  }
  return files as Files;
}

const parsed = z.array(z.object({ raw: z.string(), record: z.array(z.string()) }));

/**
 * Returns the lines of a file as written, without their last \
 * , and the parsed cells.
 */
function linesOf(bytes: Uint8Array) {
  const lines = parsed.parse(parse(Buffer.from(bytes), { bom: true, raw: true }));
  const whole = `\uFEFF${lines.map(({ raw }) => `${raw}\n`).join("")}`;
  expect(whole === Buffer.from(bytes).toString(), "lines are all of the file").toBe(true);
  return lines;
}
const cellsOf = (bytes: Uint8Array): string[][] => linesOf(bytes).map(({ record }) => record);

/**
 * Returns the records of the files, each with its lines, as cells and as written. It omits the columns `Id` and `Client
 * Id`, which are specific to the installation. Instead it puts the client's columns before a form's lines. The order is
 * that of the file or, with `byId`, of the ids, because records of one day are sorted by id.
 */
function recordsOf(files: Files, kind: ListedKind, { byId = false } = {}): Record<string, string>[][] {
  const clients = new Map(cellsOf(files.clients).map(([id = "", ...cells]) => [id, JSON.stringify(cells)]));
  const [headings, ...lines] = linesOf(files[kind]);
  const records = new Map<string, Record<string, string>[]>();
  for (const { raw, record } of lines) {
    const [id = "", ...cells] = record;
    const line = Object.fromEntries(cells.map((cell, at) => [headings?.record[at + 1], cell]));
    const clientId = line["Client Id"];
    if (clientId !== undefined) line["Client Id"] = clients.get(clientId) ?? "nobody";
    line.written = raw.slice(clientId === undefined ? `${id},`.length : `${id},${clientId},`.length);
    records.set(id, [...(records.get(id) ?? []), line]);
  }
  const sorted = [...records];
  // A settings list starts with defaults, whose ids do not follow the file.
  const rank = (lines: unknown) => JSON.stringify(lines);
  if (lists.some((list) => list === kind))
    sorted.sort(([, one], [, other]) => (rank(one) < rank(other) ? -1 : 1));
  else if (byId) sorted.sort(([one], [other]) => Number(one) - Number(other));
  return sorted.map(([, lines]) => lines);
}

/** Returns the cells, or bytes of the written line, that differ between the files. */
function differences(before: Files, after: Files, kind: ListedKind): unknown[] {
  expect(linesOf(after[kind])[0], kind).toEqual(linesOf(before[kind])[0]);
  const expected = recordsOf(before, kind);
  const actual = recordsOf(after, kind, { byId: true });
  expect(actual.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
  return expected.flatMap((lines, at) =>
    lines.flatMap((line, place) =>
      Object.entries(line).flatMap(([label, cell]) => {
        const other = actual[at]?.[place]?.[label];
        return cell === other ? [] : [{ label, before: cell.slice(0, 80), after: other?.slice(0, 80) }];
      }),
    ),
  );
}

async function importFile(kind: ListedKind, bytes: Uint8Array<ArrayBuffer>) {
  const sent = { raw: bytes, headers: { "content-type": "application/octet-stream" } };
  const { status, body } = await call(person.cookie, "POST", `/api/imports?kind=${kind}`, undefined, sent);
  expect(status, `${kind} ${JSON.stringify(body)}`).toBe(201);
  const { id, matches } = body.import;
  await send("POST", `/api/imports/${id}/start`, { import: { dryRun: false, matches, ownerId: null } });
  await runImports(new AbortController().signal);
  const done = (await call(person.cookie, "GET", `/api/imports/${id}`)).body.import;
  return { ...done, matches };
}

/**
 * Returns the field that the export writes to each column of a file, or nothing for columns that are not
 * imported.
 */
const importedFields = (columns: readonly FileColumn[]) =>
  columns.map(({ path, label }) => {
    if (label === "Id") return "externalId";
    if (label === "Client Id") return "client.id";
    if (label === "Client") return "client.name";
    return label === "Advocate Name" || label === "Form Id" ? "" : path.join(".");
  });

let source: Files;
let workbooks: Files;
let staff: Awaited<ReturnType<typeof people>>;
const people = () => db().user.findMany({ omit: { id: true, roleId: true } });

beforeAll(async () => {
  person = await makeUser(permissions);
  await fillLists();
  await fillRecords();
  source = await exportAll("csv");
  workbooks = await exportAll("xlsx");
  staff = await people();
});

/** Continues in a new installation with the same users. */
async function startNewInstallation() {
  await closeDatabase();
  Object.assign(env(), { DATABASE_URL: await copyDatabase() });
  const held = await db().permission.findMany();
  const role = await db().role.create({
    data: { name: "All", permissions: { create: held.map(({ id }) => ({ permissionId: id })) } },
  });
  await db().user.createMany({ data: staff.map((user) => ({ ...user, roleId: role.id })) });
  const user = await db().user.findUniqueOrThrow({ where: { email: person.email } });
  person = { ...user, cookie: await signIn(user) };
}

/** Deletes the list's defaults that the previous installation did not have. */
async function removeDefaults(list: LookupKey & ImportKind) {
  const known = new Set(cellsOf(source[list]).map(([, ...cells]) => JSON.stringify(cells)));
  const [, ...lines] = cellsOf((await file(`${list}.csv?columns=all`)).bytes);
  for (const [id, ...cells] of lines)
    if (!known.has(JSON.stringify(cells))) await send("DELETE", `/api/${list}/${id}`);
}

test.each(["csv", "xlsx"] as const)(
  "data exported as %s and imported into an empty installation is exported again unchanged",
  async (format) => {
    const files = format === "csv" ? source : workbooks;
    await startNewInstallation();
    for (const list of lists) {
      await removeDefaults(list);
      const done = await importFile(list, files[list]);
      expect(done, list).toMatchObject({ status: "done", failed: 0, notes: [] });
      expect(done.matches, list).toEqual(importedFields(lookupColumns(list)));
    }
    const came = { status: "done", failed: 0, repeated: 0 };
    const clients = await importFile("clients", files.clients);
    expect(clients).toMatchObject(came);
    expect(clients.matches).toEqual(importedFields(clientColumns()));
    const forms = await importFile("forms", files.forms);
    expect(forms).toMatchObject({ ...came, notes: [] });
    expect(forms.matches).toEqual(importedFields(formColumns()));
    const contacts = await importFile("contacts", files.contacts);
    expect(contacts).toMatchObject({ ...came, created: 2 * GENDERS.length, notes: [] });
    expect(contacts.matches).toEqual(importedFields(contactStore.columns));
    const stays = await importFile("stays", files.stays);
    expect(stays).toMatchObject({ ...came, notes: [] });
    expect(stays.matches).toEqual(importedFields(stayColumns));

    const after = await exportAll("csv");
    for (const kind of listedKinds) expect(differences(source, after, kind), kind).toEqual([]);
    const again = await importFile("forms", files.forms);
    expect(again).toMatchObject({ created: 0, repeated: forms.created, failed: 0 });
    expect(await importFile("contacts", files.contacts)).toMatchObject({
      created: 0,
      repeated: contacts.created,
    });
  },
);
