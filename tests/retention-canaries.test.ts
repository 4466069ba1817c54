import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { z } from "zod";
import { decryptDetails, decryptForClient } from "@/lib/audit/values";
import { clientSchema } from "@/lib/clients/schema";
import { db, rows } from "@/lib/core/database/client";
import { type Field, fieldsOf } from "@/lib/core/fields/facts";
import { plainName } from "@/lib/core/fields/wire-names";
import { isRecord } from "@/lib/core/objects";
import { identifier, sql } from "@/lib/core/sql";
import { unseal } from "@/lib/forms/drafts/cipher";
import { formSchema } from "@/lib/forms/schema";
import { writeArchive } from "@/lib/ops/archive";
import { openNote } from "@/lib/transfer/imports/notes";
import { runImports } from "@/lib/transfer/imports/run";
import { call } from "@/tests/call";
import { fullClient, fullForm, makeClient, makeUser, type Person } from "@/tests/factories";
import { takeLog } from "@/tests/setup/console";

// A word in every text about a client. After a purge and a vacuum, no byte of it remains in a new backup or the
// database's files, except the write-ahead log.

const STEM = "Kanarienvogel";
const planted = new Set<string>();

/** Returns a text for the field. A phone number has a digit. */
const wordIn = ({ name, facts }: Pick<Field, "name" | "facts">): string =>
  facts.kind === "text" && facts.mask === "phone" ? `${STEM} ${name} 1` : `${STEM} ${name}`;

/** Returns the value with a distinct word in every text that the schema knows. */
function withCanaries(schema: z.core.$ZodType, value: object): Record<string, unknown> {
  const fields = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      const field = fields.get(plainName(key));
      if (field?.facts.kind === "text" || field?.facts.kind === "longText") {
        const word = wordIn(field);
        planted.add(word);
        return [key, word];
      }
      if (!field) return [key, inner];
      if (Array.isArray(inner))
        return [key, inner.map((row) => (isRecord(row) ? withCanaries(field.schema, row) : row))];
      return [key, isRecord(inner) ? withCanaries(field.schema, inner) : inner];
    }),
  );
}

const textsOf = (schema: z.core.$ZodType): string[] =>
  fieldsOf(schema).flatMap(({ name, facts, schema: field }) =>
    facts.kind === "text" || facts.kind === "longText"
      ? [wordIn({ name, facts })]
      : facts.kind === "entry" || facts.kind === "entries"
        ? textsOf(field)
        : [],
  );

let server: pg.Client;
let owner: Person;
let keeper: Person;
let supervisor: Person;
let importer: Person;

beforeAll(async () => {
  server = new pg.Client(process.env.DATABASE_URL);
  await server.connect();
  owner = await makeUser();
  keeper = await makeUser(["retention"]);
  supervisor = await makeUser(["forms", "all-forms", "clients", "reports"]);
  importer = await makeUser(["import", "forms", "all-forms", "clients", "shelter"]);
});
afterAll(() => server.end());

/** Returns the words that occur in a file of the database, each with the table or index of that file. */
async function foundInFiles(words: readonly string[]): Promise<{ word: string; place: string }[]> {
  const { rows: places } = await server.query<{ word: string; place: string }>(
    `WITH place AS (SELECT 'base/' || oid AS folder FROM pg_database WHERE datname = current_database()),
       files AS MATERIALIZED (
         SELECT name, pg_read_binary_file(folder || '/' || name, 0, 1000000000, true) AS bytes
         FROM place, pg_ls_dir(folder) AS name)
     SELECT word, coalesce(relname, name) AS place
     FROM unnest($1::text[]) AS word JOIN files ON position(convert_to(word, 'UTF8') IN bytes) > 0
       LEFT JOIN pg_class ON pg_relation_filenode(pg_class.oid)::text = name`,
    [words],
  );
  return places;
}

/**
 * The tables without a word about a client, because no field has a text, or none belongs to a client. Every other table
 * must contain a canary before the purge. So a new table must be filled here or added to this list.
 */
const WITHOUT_WORDS = [
  // Settings, accounts and their access.
  "activities",
  "activity_kinds",
  "age_brackets",
  "attendances",
  "canines",
  "contact_kinds",
  "contacts",
  "custody_statuses",
  "education_levels",
  "ethnicities",
  "event_kinds",
  "event_staff",
  "events",
  "exit_destinations",
  "form_types",
  "group_clients",
  "group_session_leaders",
  "group_sessions",
  "group_users",
  "groups",
  "hate_crime_categories",
  "income_levels",
  "offender_relationships",
  "organizations",
  "outcome_answers",
  "outcome_questions",
  "outcome_surveys",
  "permissions",
  "referral_sources",
  "magisterial_court_outcomes",
  "pfa_court_contact_types",
  "roles",
  "role_permissions",
  "service_codes",
  "secondary_victimizations",
  "shelters",
  "service_code_form_types",
  "custom_fields",
  "custom_choices",
  "custom_field_form_types",
  "field_settings",
  "hidden_periods",
  "field_definitions",
  "closed_periods",
  "retention_settings",
  "users",
  "sessions",
  "tokens",
  "api_tokens",
  "two_steps",
  "recovery_codes",
  "login_failures",
  "mails",
  "reset_requests",
  "audit_retention",
  "audit_seals",
  "former_keys",
  "_prisma_migrations",
  "report_settings",
  "report_mappings",
  "report_submission_plain",
  // Part of a client or form, but only choices, flags, days and numbers, which reports need.
  "brain_injury_entries",
  "income_and_education_entries",
  "pfa_court_entries",
  "service_status_entries",
  "stays",
  "survivor_entry_secondary_victimizations",
  // Only ids, keys or counts. The test checks below by id that nothing of them is left.
  "client_ages",
  "client_keys",
  "client_restrictions",
  "import_rows",
  "imports",
  "report_submissions",
  "report_submission_contacts",
  "report_submission_lines",
  "report_submission_records",
  "report_submission_withheld",
  // An encrypted, waiting file. It is deleted when its import ends, or after 7 days.
  "import_parts",
];

const databaseTables = async () =>
  (
    await rows<{ name: string }>(
      sql`SELECT table_name AS name FROM information_schema.tables JOIN pg_class ON oid = to_regclass(quote_ident(table_name))
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND NOT relispartition ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** Returns all encrypted values that the program can decrypt now, by table. */
async function decryptAll(): Promise<Record<string, unknown[]>> {
  type Sealed = { id: string; details: Buffer; keyId: string | null; wrapped: Buffer | null };
  const readSealed = (table: string) =>
    rows<Sealed>(
      sql`SELECT t.id::text, t.details, k.id AS "keyId", k.wrapped FROM ${identifier(table)} t
       LEFT JOIN client_keys k ON k.id = t.key_id
       WHERE t.details IS NOT NULL AND (t.key_id IS NULL OR k.id IS NOT NULL)`,
    );
  const drafts = await rows<{ userId: number; key: string; ciphertext: Buffer; name: Buffer | null }>(
    sql`SELECT user_id AS "userId", key, ciphertext, name FROM drafts`,
  );
  // Headings belong to the file, not to a client.
  const notes = await rows<{ importId: number; sealed: Buffer }>(
    sql`SELECT import_id AS "importId", sealed FROM import_notes WHERE about <> 'headings'`,
  );
  return {
    audit_events: (await readSealed("audit_events")).map(({ details, keyId, wrapped }) =>
      decryptDetails(details, keyId, wrapped),
    ),
    client_merges: (await readSealed("client_merges")).map(
      ({ details, wrapped }) => wrapped && decryptForClient(details, wrapped),
    ),
    drafts: drafts.map(({ userId, key, ciphertext }) => unseal(ciphertext, JSON.stringify([userId, key]))),
    import_notes: notes.map(({ importId, sealed: note }) => openNote(importId, note)),
  };
}

/** Returns the tables in which any column of any row, as text or decrypted, contains a canary. */
async function tablesWithCanaries(): Promise<string[]> {
  const opened = await decryptAll();
  const tables = new Set(Object.keys(opened).filter((table) => JSON.stringify(opened[table]).includes(STEM)));
  for (const table of await databaseTables()) {
    const [row] = await rows<{ found: boolean }>(
      sql`SELECT EXISTS (SELECT FROM ${identifier(table)} t WHERE strpos(t::text, ${STEM}) > 0
         OR strpos(t::text, encode(convert_to(${STEM}, 'UTF8'), 'hex')) > 0) AS found`,
    );
    if (row?.found) tables.add(table);
  }
  return [...tables].sort();
}

async function backup(): Promise<string> {
  const file = path.join(String(process.env.DATA_DIR), `canaries-${Date.now()}.gz`);
  await writeArchive(String(process.env.DATABASE_URL), file, null);
  return gunzipSync((await readFile(file)).subarray(0, -32)).toString();
}

async function send(person: Person, method: "POST" | "PUT", url: string, body: object, headers = {}) {
  const answer = await call(person.cookie, method, url, body, { headers });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

/** Imports a file and returns the result. */
async function importRows(kind: string, raw: string) {
  const { cookie } = importer;
  const headers = { "content-type": "text/csv" };
  const path = `/api/imports?kind=${kind}`;
  const { id, matches } = (await call(cookie, "POST", path, undefined, { raw, headers })).body.import;
  const begin = { import: { dryRun: false, matches, ownerId: null } };
  await send(importer, "POST", `/api/imports/${id}/start`, begin);
  await runImports(new AbortController().signal);
  return (await call(cookie, "GET", `/api/imports/${id}`)).body.import;
}

test("a purged client leaves no word in any table, the database's files, the log or a new backup", async () => {
  const logged: unknown[][] = [];
  for (const method of ["debug", "log", "info", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((...values: unknown[]) => void logged.push(values));
  const words = {
    entity: `${STEM} key of a client`,
    form: `${STEM} key of a form`,
    comment: `${STEM} comment`,
    stay: `${STEM} key of a stay`,
    reply: `${STEM} reply`,
  };
  const draftKey = `${STEM}-draft`;
  const { client } = await send(
    owner,
    "POST",
    "/api/clients",
    { client: withCanaries(clientSchema, await fullClient()) },
    { "idempotency-key": words.entity },
  );
  const forms: number[] = [];
  for (const [type, place] of [
    ["Phone", "M"],
    ["On-Call Advocacy", "M"],
    ["Legal Advocacy", "M"],
    ["Legal Advocacy", "CT"],
    ["Survivor", "M"],
    ["Service", "M"],
  ] as const) {
    const form = withCanaries(formSchema, await fullForm(type, client.id, place));
    const key = { "idempotency-key": `${words.form} ${forms.length}` };
    forms.push((await send(owner, "POST", "/api/forms", { form }, key)).form.id);
  }
  // Every text field has been filled.
  expect([...planted].sort()).toEqual(
    [...new Set([...textsOf(clientSchema), ...textsOf(formSchema)])].sort(),
  );
  const { id: shelterId } = await db().shelter.create({ data: { name: "House", kind: "In-house" } });
  await db().reportMapping.create({
    data: {
      report: "fvpsa",
      kind: "shelter",
      source: String(shelterId),
      line: "shelter",
      validFrom: new Date("1900-01-01"),
    },
  });
  const stay = { clientId: client.id, shelterId, enteredOn: "2010-01-01", leftOn: "2010-01-05" };
  await send(importer, "POST", "/api/stays", { stay }, { "idempotency-key": words.stay });
  await send(supervisor, "POST", `/api/forms/${forms[0]}/return`, { comment: words.comment });
  await send(
    owner,
    "POST",
    `/api/forms/${forms[0]}/comments`,
    { text: words.reply },
    { "idempotency-key": words.reply },
  );
  // A change after a check keeps a copy of what was checked.
  const checked = forms.at(-1);
  await send(supervisor, "POST", `/api/forms/${checked}/reconcile`, { reconciled: true });
  const changed = withCanaries(formSchema, await fullForm("Service", client.id, "M"));
  await send(owner, "PUT", `/api/forms/${checked}`, { form: changed });
  const { lockVersion } = (await call(owner.cookie, "GET", `/api/clients/${client.id}`)).body.client;
  const renamed = { ...withCanaries(clientSchema, await fullClient()), name: `${STEM} again`, lockVersion };
  await send(owner, "PUT", `/api/clients/${client.id}`, { client: renamed });
  const content = { clientId: client.id, client: { name: `${STEM} in a draft` }, form: {} };
  await send(owner, "PUT", `/api/drafts/${draftKey}`, { draft: { formId: null, content } });
  const ofForm = { formId: forms[1], content: { form: { name: `${STEM} in a draft` } } };
  await send(owner, "PUT", `/api/drafts/${draftKey}-2`, { draft: ofForm });
  // Recorded twice, and merged.
  const double = (
    await send(owner, "POST", "/api/clients", { client: withCanaries(clientSchema, await fullClient()) })
  ).client;
  const ofDouble = { clientId: double.id, client: { name: `${STEM} in a draft` }, form: {} };
  await send(owner, "PUT", `/api/drafts/${draftKey}-3`, { draft: { formId: null, content: ofDouble } });
  await send(supervisor, "POST", `/api/clients/${client.id}/merge`, {
    client: { ...renamed, lockVersion: lockVersion + 1 },
    other: { id: double.id, lockVersion: double.lockVersion },
  });
  // A draft about another client, which stays.
  await send(owner, "PUT", "/api/drafts/another", {
    draft: { formId: null, content: { clientId: (await makeClient(owner)).id } },
  });
  await send(owner, "POST", "/api/clients/search", { search: `${STEM} searched` });
  // From a file, with a refused row.
  const id = `${STEM}-1`;
  const name = `${STEM} from a file`;
  expect(await importRows("clients", `Id,Name,${STEM} heading\n${id},${name},x`)).toMatchObject({
    created: 1,
  });
  const heads = "Id,Client Id,Form Type,Service On,Service Status";
  const lines = ["Served", `${STEM} refused`].map(
    (status, n) => `${id}-${n},${id},Service,03/04/2010,${status}`,
  );
  const brought = await importRows("forms", [heads, ...lines].join("\n"));
  expect(brought).toMatchObject({ created: 1, failed: 1, notes: [{ clients: [{ name }] }] });
  const [imported] = await rows<{ id: number }>(sql`SELECT id FROM clients WHERE name = ${name}`);
  // As similar as a namesake: importing one shows the other.
  expect(await importRows("clients", `Name\n${STEM} again`)).toMatchObject({
    created: 1,
    similar: 1,
    notes: [{ about: "similar", clients: [{ name: `${STEM} again` }] }],
  });
  const [namesake] = await rows<{ id: number }>(
    sql`SELECT max(id) AS id FROM clients WHERE name = ${`${STEM} again`}`,
  );
  const moved = `Id,Client Id,Shelter,Entered On,Left On\n${id}-stay,${id},House,03/04/2010,03/05/2010`;
  expect(await importRows("stays", moved)).toMatchObject({ created: 1 });
  const purged = [client.id, Number(imported?.id), Number(namesake?.id)];
  const submitted: number[] = [];
  for (const [report, from, to] of [
    ["pmt", "2026-01-01", "2026-03-31"],
    ["fvpsa", "2010-01-01", "2010-03-31"],
  ] as const) {
    const { submission } = await send(supervisor, "POST", `/api/reports/${report}/submissions`, {
      submission: { from, to },
    });
    submitted.push(submission.id);
  }
  for (const held of purged) {
    const reason = `${STEM} reason of ${held}`;
    await send(keeper, "PUT", `/api/clients/${held}/hold`, { hold: { reason } });
  }
  // The planner stores samples of table contents.
  for (const statement of ["ANALYZE", "CHECKPOINT"]) await server.query(statement);

  const plain = [
    words.comment,
    words.reply,
    `${STEM} again`,
    name,
    ...purged.map((held) => `${STEM} reason of ${held}`),
  ];
  const everywhere = [...planted, ...plain, words.entity, `${words.form} 0`, words.stay, draftKey];
  const found = new Set((await foundInFiles(everywhere)).map(({ word }) => word));
  expect(everywhere.filter((word) => !found.has(word))).toEqual([]);
  const before = await backup();
  // The first name was overwritten. Keys are in no backup, and drafts are encrypted.
  const kept = [...planted, ...plain].filter((word) => word !== `${STEM} name`);
  expect(kept.filter((word) => !before.includes(word))).toEqual([]);

  const holding = await tablesWithCanaries();
  expect((await databaseTables()).filter((table) => !holding.includes(table))).toEqual(
    [...WITHOUT_WORDS].sort(),
  );
  const behind = async () => {
    const found = await rows<{ id: number }>(
      sql`SELECT DISTINCT submission_id AS id FROM report_submission_records ORDER BY id`,
    );
    return found.map(({ id }) => id);
  };
  expect(await behind()).toEqual(submitted);

  for (const held of purged) await call(keeper.cookie, "DELETE", `/api/clients/${held}/hold`);
  await rows(sql`UPDATE clients SET updated_at = '2010-01-01' WHERE id = ANY(${purged})`);
  await rows(sql`UPDATE forms SET updated_at = '2010-01-01', service_on = '2010-01-01'`);
  await rows(sql`UPDATE stays SET updated_at = '2010-01-01'`);
  await send(keeper, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
  expect(await send(keeper, "POST", "/api/retention/purge", { ids: purged })).toMatchObject({
    done: purged,
    failed: [],
  });
  const [remains] = await rows<{
    drafts: string;
    keys: number;
    merges: number;
    ages: number;
    born: number;
    imports: number;
    holds: number;
  }>(
    sql`SELECT (SELECT string_agg(key, ',') FROM drafts) AS drafts, (SELECT count(*)::int FROM idempotency_keys) AS keys,
       (SELECT count(*)::int FROM client_merges) AS merges,
       (SELECT count(*)::int FROM client_ages WHERE client_id = ${client.id}) AS ages,
       (SELECT count(*)::int FROM client_holds) AS holds,
       (SELECT count(*) FROM import_rows)::int + (SELECT count(*) FROM import_notes WHERE about NOT IN ('headings', 'mapping', 'problems'))::int AS imports,
       (SELECT count(*)::int FROM client_biographical_entries WHERE date_of_birth IS NOT NULL) AS born`,
  );
  expect(remains).toEqual({ drafts: "another", keys: 0, merges: 0, ages: 1, born: 0, imports: 0, holds: 0 });

  expect(await tablesWithCanaries()).toEqual([]);
  expect(await behind()).toEqual([]);
  expect(
    [...takeLog(), ...logged].map((values) => JSON.stringify(values)).filter((line) => line.includes(STEM)),
  ).toEqual([]);

  // A vacuum keeps rows that a concurrent transaction may still see, such as one of autovacuum.
  const foundAfterVacuum = async () => {
    // ANALYZE first: it replaces the samples, and the replaced rows stay in the planner's own table until the
    // vacuum.
    for (const statement of ["ANALYZE", "VACUUM FULL", "CHECKPOINT"]) await server.query(statement);
    return foundInFiles([STEM, STEM.toLowerCase()]);
  };
  await expect.poll(foundAfterVacuum, { interval: 2_000 }).toEqual([]);
  expect((await backup()).toLowerCase()).not.toContain(STEM.toLowerCase());
});
