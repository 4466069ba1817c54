import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ExternalSeal, newestSeal, sealAudit } from "@/lib/audit/seals";
import { compareTrail, verifyAudit } from "@/lib/audit/verify";
import { rows } from "@/lib/core/database/client";
import { sql } from "@/lib/core/sql";
import { prepareAudit } from "@/lib/ops/program-role";
import { call, untilServed } from "@/tests/call";
import { makeForm, makeUser } from "@/tests/factories";

// The seals of the audit trail. The tests tamper as a superuser, who has every privilege.

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client(process.env.DATABASE_URL);
  await client.connect();
});
afterAll(() => client.end());

/** Adds the events of `count` transactions, three events in each. */
async function fill(count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await client.query(
      `INSERT INTO audit_events (at, user_id, user_name, action, entity, entity_id, client_id, fields, shown, details)
       SELECT now() - make_interval(days => 10 * g), $1, 'Ada Lovelace', 'updated', 'form', g, $1, '{form.serviceOn}', ARRAY[$1, g], $2
       FROM generate_series(1, 3) AS g`,
      [1_000_000 + n, randomBytes(20)],
    );
}

/**
 * Seals all rows. Open transactions in other databases of this server, those of other tests, can delay
 * sealing.
 */
async function sealAll(): Promise<void> {
  do {
    await sealAudit();
    await new Promise(setImmediate);
  } while ((await verifyAudit(client)).unsealed > 0);
}

const verdict = (kept: Parameters<typeof verifyAudit>[1] = []) => verifyAudit(client, kept);

test("a seal ends before 8 MB of recorded values are read", async () => {
  await sealAll();
  const { seals } = await verdict();
  for (let n = 0; n < 6; n++)
    await client.query(
      "INSERT INTO audit_events (user_name, action, details) VALUES ('Large', 'updated', $1)",
      [randomBytes(3_000_000)],
    );
  await sealAll();
  expect((await verdict()).seals).toBeGreaterThanOrEqual(seals + 3);
  expect(await verdict()).toMatchObject({ unsealed: 0, findings: [] });
});

test("rows are sealed in transaction order, and none while an older transaction is open", async () => {
  await fill(2);
  const slow = new pg.Client(process.env.DATABASE_URL);
  await slow.connect();
  await slow.query("BEGIN");
  await slow.query("INSERT INTO audit_events (user_name, action) VALUES ('Slow', 'viewed')");
  await fill(2);
  await sealAudit();
  const { unsealed, findings } = await verdict();
  expect(unsealed).toBeGreaterThanOrEqual(6);
  expect(findings).toEqual([]);
  await slow.query("COMMIT");
  await slow.end();
  await sealAll();
  expect(await verdict()).toMatchObject({ unsealed: 0, findings: [] });
  const before = await newestSeal();
  await sealAudit();
  expect(await newestSeal()).toEqual(before);
});

test("rows beyond the size of one seal are split into several, with each transaction kept together", async () => {
  const before = (await verdict()).seals;
  const large = 12_000;
  for (const count of [6_000, large, 6_000])
    await client.query(
      "INSERT INTO audit_events (user_name, action, entity_id) SELECT 'Many', 'viewed', g FROM generate_series(1, $1::int) AS g",
      [count],
    );
  await sealAll();
  expect(await verdict()).toMatchObject({ unsealed: 0, findings: [] });
  const made = await rows<{ rows: number }>(
    sql`SELECT length(entries) / 28 AS rows FROM audit_seals WHERE id > ${before} ORDER BY id`,
  );
  expect(made.map((seal) => seal.rows)).toEqual([6_000, large, 6_000]);
});

describe("a sealed trail", () => {
  beforeAll(async () => {
    // Every row is compared after each of a thousand changes, so there must be few rows.
    await client.query("TRUNCATE audit_events, audit_seals");
    for (let n = 0; n < 8; n++) {
      await fill(8);
      await sealAll();
    }
  });

  const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;
  const ONE =
    "SELECT ctid, tableoid FROM audit_events WHERE user_name = 'Ada Lovelace' ORDER BY random() LIMIT 1";
  const change = (set: string) =>
    `WITH one AS (${ONE}) UPDATE audit_events e SET ${set} FROM one WHERE e.ctid = one.ctid AND e.tableoid = one.tableoid`;
  const SEAL = "(SELECT id FROM audit_seals ORDER BY random() LIMIT 1)";

  /** Runs `sql`, returns the findings of the comparison and rolls the change back. */
  async function findingsAfter(sql: string, kept: ExternalSeal[] = []) {
    await client.query("BEGIN");
    try {
      const { rowCount } = await client.query(sql);
      return { changed: rowCount, findings: (await compareTrail(client, kept)).findings };
    } finally {
      await client.query("ROLLBACK");
    }
  }

  /** The ways to tamper with the trail, each as SQL. */
  const tamperings: Record<string, () => string> = {
    changed: () =>
      change(
        pick([
          "user_id = e.user_id + 1000",
          "user_id = NULL",
          "user_name = e.user_name || ' '",
          "action = 'viewed'",
          "entity = 'client'",
          "entity_id = e.entity_id + 1",
          "client_id = NULL",
          "at = e.at + interval '1 second'",
          "request_id = 'forged'",
          "address = '192.0.2.9'",
          "fields = '{form.clientId}'",
          "shown = e.shown || 7",
          "rows = 7",
          "details = e.details || '\\x00'::bytea",
          "key_id = gen_random_uuid()",
        ]),
      ),
    removed: () =>
      `WITH one AS (${ONE}) DELETE FROM audit_events e USING one WHERE e.ctid = one.ctid AND e.tableoid = one.tableoid`,
    "given another's place": () => `WITH two AS (
        SELECT a.id AS a, b.id AS b, a.position AS pa, b.position AS pb FROM audit_events a, audit_events b
        WHERE a.position <> b.position ORDER BY random() LIMIT 1)
      UPDATE audit_events e SET position = CASE e.id WHEN two.a THEN two.pb ELSE two.pa END FROM two WHERE e.id IN (two.a, two.b)`,
    "given another's content": () => `WITH two AS (
        SELECT a.id AS a, b.id AS b, a.details AS da, b.details AS db FROM audit_events a, audit_events b
        WHERE a.details <> b.details ORDER BY random() LIMIT 1)
      UPDATE audit_events e SET details = CASE e.id WHEN two.a THEN two.db ELSE two.da END FROM two WHERE e.id IN (two.a, two.b)`,
    moved: () => change("position = e.position + 1000000"),
    inserted: () =>
      `INSERT INTO audit_events (position, user_name, action) SELECT position, 'Nobody', 'viewed' FROM audit_events ORDER BY random() LIMIT 1`,
    "inserted beyond the end": () =>
      "INSERT INTO audit_events (position, user_name, action) SELECT max(position) + 1000000, 'Nobody', 'viewed' FROM audit_events",
    "covered by another seal": () =>
      pick([
        `UPDATE audit_seals SET hmac = sha256(hmac) WHERE id = ${SEAL}`,
        `UPDATE audit_seals SET position = position + 1 WHERE id = ${SEAL}`,
        `UPDATE audit_seals SET at = at + interval '1 second' WHERE id = ${SEAL}`,
        `UPDATE audit_seals SET entries = substring(entries FROM 29) WHERE id = ${SEAL}`,
        `DELETE FROM audit_seals WHERE id = ${SEAL}`,
      ]),
    "left without the newest seals": () =>
      `WITH cut AS (SELECT position FROM audit_seals WHERE id = (SELECT max(id) FROM audit_seals) - ${pick([1, 2, 3])}),
         rows AS (DELETE FROM audit_events e USING cut WHERE e.position >= cut.position)
       DELETE FROM audit_seals s USING cut WHERE s.position > cut.position`,
  };

  test.each(Object.keys(tamperings))("reveals every row that was %s, however it was done", async (kind) => {
    const newest = await newestSeal();
    const make = tamperings[kind];
    if (!newest || !make) throw new Error("There is no seal");
    expect(await verdict([newest])).toMatchObject({ unsealed: 0, findings: [] });
    for (let n = 0; n < 112; n++) {
      const sql = make();
      const { changed, findings } = await findingsAfter(sql, [newest]);
      expect(changed, sql).toBeGreaterThan(0);
      expect(findings.length, sql).toBeGreaterThan(0);
    }
  });

  test("names the row that was changed, added, moved or deleted", async () => {
    const [one] = await rows<{ id: string; month: string }>(
      sql`SELECT id::text, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM') AS month FROM audit_events ORDER BY id LIMIT 1`,
    );
    if (!one) throw new Error("There are no rows");
    const findingsOf = async (sql: string) => (await findingsAfter(sql)).findings;
    const row = `Row ${one.id} (${one.month})`;
    expect(await findingsOf(`UPDATE audit_events SET user_name = 'x' WHERE id = ${one.id}`)).toEqual([
      `${row} was changed.`,
    ]);
    expect(await findingsOf(`DELETE FROM audit_events WHERE id = ${one.id}`)).toEqual([`${row} is missing.`]);
    expect(
      await findingsOf(`UPDATE audit_events SET position = position + 1e6 WHERE id = ${one.id}`),
    ).toEqual([`${row} was moved.`]);
    const added = `INSERT INTO audit_events (id, at, position, user_name, action)
      SELECT 999999, at, position, 'x', 'viewed' FROM audit_events WHERE id = ${one.id}`;
    expect(await findingsOf(added)).toEqual([
      `Row 999999 (${one.month}) was added after its time was sealed.`,
    ]);
  });

  test("continues after a restore into a PostgreSQL with lower transaction numbers", async () => {
    await client.query("BEGIN");
    // As if the rows came from a server that had used a billion more transactions.
    await client.query(
      "UPDATE audit_seals SET position = position + 1000000000 WHERE id = (SELECT max(id) FROM audit_seals)",
    );
    await prepareAudit(client);
    const { rows: after } = await client.query(
      "SELECT audit_position() >= (SELECT max(position) FROM audit_seals) AS later, audit_horizon() - audit_offset() > 0 AS real",
    );
    await client.query("ROLLBACK");
    expect(after).toEqual([{ later: true, real: true }]);
  });
});

test("of 500 parallel saves, every stored save is audited and every audited save is stored", async () => {
  const ada = await makeUser();
  const forms: Awaited<ReturnType<typeof makeForm>>[] = [];
  while (forms.length < 25) forms.push(await makeForm(ada));
  const saves = Array.from({ length: 500 }, (_, n) => {
    const { id, clientId, formTypeId, lockVersion: _version, ...form } = forms[n % forms.length];
    const { serviceStatus, verbalConfirmation } = form;
    const serviceOn = `2026-0${1 + (n % 9)}-${String(1 + Math.floor(n / 25)).padStart(2, "0")}`;
    const body = { form: { clientId, formTypeId, serviceStatus, verbalConfirmation, serviceOn } };
    return untilServed(() => call(ada.cookie, "PUT", `/api/forms/${id}`, body));
  });
  let saving = true;
  const sealing = (async () => {
    while (saving) {
      await sealAudit();
      await new Promise(setImmediate);
    }
  })();
  const answers = await Promise.all(saves);
  saving = false;
  await sealing;
  await sealAll();
  const saveCount = answers.filter(({ status }) => status === 200).length;
  // A save whose response was lost may have been stored. Then it is in the trail, as the record's version
  // shows.
  const [count] = await rows<{ events: number; versions: number }>(
    sql`SELECT (SELECT count(*)::int FROM audit_events WHERE user_id = ${ada.id} AND action = 'updated') AS events,
       (SELECT sum(lock_version)::int FROM forms WHERE user_id = ${ada.id}) AS versions`,
  );
  expect(saveCount).toBe(500);
  expect(count?.events).toBe(count?.versions);
  expect(count?.events).toBeGreaterThanOrEqual(500);
  expect(await verdict()).toMatchObject({ unsealed: 0, findings: [] });
});
