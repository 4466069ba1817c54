import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { clientSchema } from "@/lib/clients/schema";
import { rows } from "@/lib/database/client";
import { fieldsOf } from "@/lib/fields/facts";
import { isRecord, plainName } from "@/lib/fields/plain";
import { formSchema } from "@/lib/forms/schema";
import { writeArchive } from "@/lib/operate/archive";
import { call } from "@/tests/call";
import { fullClient, fullForm, makeClient, makeUser, type Person } from "@/tests/factories";

// A word in every text that is about a client: after a purge and a vacuum no byte of it is left in the database's files
// (the write-ahead log aside), nor in a fresh backup.

const STEM = "Kanarienvogel";
const planted = new Set<string>();

/** The value with a word of its own in every text that the schema knows. */
function withCanaries(schema: z.core.$ZodType, value: object): Record<string, unknown> {
  const fields = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      const field = fields.get(plainName(key));
      if (field?.facts.kind === "text" || field?.facts.kind === "longText") {
        const word = `${STEM} ${field.name}`;
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
      ? [`${STEM} ${name}`]
      : facts.kind === "entry" || facts.kind === "entries"
        ? textsOf(field)
        : [],
  );

let server: pg.Client;
let owner: Person;
let keeper: Person;
let supervisor: Person;

beforeAll(async () => {
  server = new pg.Client(process.env.DATABASE_URL);
  await server.connect();
  owner = await makeUser();
  keeper = await makeUser(["retention"]);
  supervisor = await makeUser(["forms", "all-forms", "clients"]);
});
afterAll(() => server.end());

/** Those of the words that stand in a file of the database, each with the table or index whose file it is. */
async function foundInFiles(words: readonly string[]): Promise<{ word: string; place: string }[]> {
  await server.query("CHECKPOINT");
  const { rows: found } = await server.query<{ word: string; place: string }>(
    `WITH place AS (SELECT 'base/' || oid AS folder FROM pg_database WHERE datname = current_database()),
       files AS MATERIALIZED (
         SELECT name, pg_read_binary_file(folder || '/' || name, 0, 1000000000, true) AS bytes
         FROM place, pg_ls_dir(folder) AS name)
     SELECT word, coalesce(relname, name) AS place
     FROM unnest($1::text[]) AS word JOIN files ON position(convert_to(word, 'UTF8') IN bytes) > 0
       LEFT JOIN pg_class ON pg_relation_filenode(pg_class.oid)::text = name`,
    [words],
  );
  return found;
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

test("a purged client leaves no word in the database's files, nor in a fresh backup", async () => {
  const words = {
    entity: `${STEM} key of a client`,
    form: `${STEM} key of a form`,
    comment: `${STEM} comment`,
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
  // Every text there is has been planted.
  expect([...planted].sort()).toEqual(
    [...new Set([...textsOf(clientSchema), ...textsOf(formSchema)])].sort(),
  );
  await send(supervisor, "POST", `/api/forms/${forms[0]}/return`, { comment: words.comment });
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
  // Someone else's, which stays.
  await send(owner, "PUT", "/api/drafts/another", {
    draft: { formId: null, content: { clientId: (await makeClient(owner)).id } },
  });
  await send(owner, "POST", "/api/clients/search", { search: `${STEM} searched` });
  // The planner keeps samples of what the tables hold.
  await server.query("ANALYZE");

  const everywhere = [...planted, words.entity, `${words.form} 0`, words.comment, `${STEM} again`, draftKey];
  const found = new Set((await foundInFiles(everywhere)).map(({ word }) => word));
  expect(everywhere.filter((word) => !found.has(word))).toEqual([]);
  const before = await backup();
  // The first name was saved over; keys are in no backup, and drafts are encrypted.
  const kept = [...planted, words.comment, `${STEM} again`].filter((word) => word !== `${STEM} name`);
  expect(kept.filter((word) => !before.includes(word))).toEqual([]);

  await rows("UPDATE clients SET updated_at = '2010-01-01' WHERE id = $1", [client.id]);
  await rows("UPDATE forms SET updated_at = '2010-01-01', service_on = '2010-01-01'");
  await send(keeper, "PUT", "/api/retention", { retention: { years: 7, nightly: false } });
  expect(await send(keeper, "POST", "/api/retention/purge", { ids: [client.id] })).toMatchObject({
    done: [client.id],
    failed: [],
  });
  const [left] = await rows<{ drafts: string; keys: number; merges: number; ages: number; born: number }>(
    `SELECT (SELECT string_agg(key, ',') FROM drafts) AS drafts, (SELECT count(*)::int FROM idempotency_keys) AS keys,
       (SELECT count(*)::int FROM client_merges) AS merges,
       (SELECT count(*)::int FROM client_ages WHERE client_id = $1) AS ages,
       (SELECT count(*)::int FROM client_biographical_entries WHERE date_of_birth IS NOT NULL) AS born`,
    [client.id],
  );
  expect(left).toEqual({ drafts: "another", keys: 0, merges: 0, ages: 1, born: 0 });

  // A vacuum keeps what a transaction that runs beside it may still see, as one of autovacuum does.
  const foundAfterVacuum = async () => {
    await server.query("VACUUM FULL");
    await server.query("ANALYZE");
    // ANALYZE replaces the samples; what it replaced lies in the planner's own table until that is vacuumed too.
    await server.query("VACUUM FULL pg_statistic");
    return foundInFiles([STEM, STEM.toLowerCase()]);
  };
  await expect.poll(foundAfterVacuum, { interval: 2_000 }).toEqual([]);
  expect((await backup()).toLowerCase()).not.toContain(STEM.toLowerCase());
});
