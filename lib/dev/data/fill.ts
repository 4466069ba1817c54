import pg from "pg";
import { PlainError } from "@/lib/core/process/plain-error";
import { draws } from "@/lib/dev/data/draw";
import { readLists } from "@/lib/dev/data/lists";
import { firstNames, lastNames } from "@/lib/dev/data/names";
import { records, type Size, users } from "@/lib/dev/data/statements";
import { hashPassword } from "@/lib/identity/hashing";
import { DEMO } from "@/lib/ops/demo";

/**
 * Returns the email of the nth generated user, from 1. The first three are administrators. Their password is the
 * demo's.
 */
export const generatedUser = (n: number) => `user${n}@example.org`;

/** The last day of service. */
const LAST_DAY = "2026-11-20";

interface Options {
  forms: number;
  /** The same seed and number produce the same records. */
  seed?: number;
  say?: (line: string) => void;
}

/**
 * Fills a migrated and seeded database with invented records: 1,000,000 forms have 150,000 clients and 3.7 million
 * service rows. Throws if the database contains a client or a form. Adds all rows or none. Indexes and foreign keys are
 * created again at the end, so that they check every row.
 */
export async function fillDatabase(url: string, options: Options): Promise<void> {
  const { forms, seed = 1, say = () => {} } = options;
  const size: Size = { forms, clients: Math.max(20, Math.round(forms * 0.15)), users: 48, until: LAST_DAY };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET TIME ZONE 'UTC'; SET work_mem = '256MB'; SET maintenance_work_mem = '512MB'");
    await client.query("SET synchronous_commit = off; BEGIN");
    const { rows } = await client.query("SELECT FROM clients UNION ALL SELECT FROM forms LIMIT 1");
    if (rows.length > 0)
      throw new PlainError("The database holds clients or forms already; nothing was added.");
    await writeRecords(client, size, seed, say);
    await client.query("COMMIT");
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

async function writeRecords(client: pg.Client, size: Size, seed: number, say: (line: string) => void) {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(0)} s`.padStart(6);
  const d = draws(seed);
  const lists = await readLists(client);
  for (const [table, names] of Object.entries({ first_names: firstNames(), last_names: lastNames() })) {
    await client.query(`CREATE TEMP TABLE ${table} (rank int PRIMARY KEY, name text) ON COMMIT DROP`);
    await client.query(
      `INSERT INTO ${table} SELECT rank, name FROM unnest($1::text[]) WITH ORDINALITY AS n(name, rank)`,
      [names],
    );
  }
  const made = await client.query<{ id: number }>(users(d, lists, size), [await hashPassword(DEMO.password)]);
  const restore = await withoutIndexes(client);
  const userIds = made.rows.map(({ id }) => id);
  for (const sql of records(d, lists, size, userIds)) {
    const { rowCount } = await client.query(sql);
    say(`${seconds()}  ${String(rowCount).padStart(9)} ${/(?:INSERT INTO|UPDATE) (\w+)/.exec(sql)?.[1]}`);
  }
  await restore();
  await moveSequences(client);
  say(`${seconds()}  indexes and foreign keys`);
}

/** The tables of clients and forms, and of all their parts at any depth. */
const TABLES = `WITH RECURSIVE part(id) AS (
    SELECT unnest(ARRAY['clients'::regclass::oid, 'forms'::regclass::oid])
    UNION SELECT conrelid FROM pg_constraint JOIN part ON confrelid = part.id
      WHERE contype = 'f' AND confdeltype = 'c' AND conrelid NOT IN ('drafts'::regclass))`;

/**
 * Drops the indexes and foreign keys of the tables to fill. Returns a function that creates them again, word for word.
 */
async function withoutIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `${TABLES}
     SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make, 2 AS turn
     FROM pg_constraint WHERE contype = 'f' AND conrelid IN (SELECT id FROM part)
     UNION ALL
     SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 1
     FROM pg_index WHERE indrelid IN (SELECT id FROM part)
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
     ORDER BY turn DESC`,
  );
  for (const { drop } of rows) await client.query(drop);
  return async () => {
    for (const { make } of rows.toReversed()) await client.query(make);
  };
}

/** Sets the sequences, so that new ids follow the chosen ones. */
async function moveSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ move: string }>(
    `${TABLES}
     SELECT format('SELECT setval(%L, (SELECT max(id) FROM %s)) WHERE EXISTS (SELECT FROM %2$s)',
       pg_get_serial_sequence(part.id::regclass::text, 'id'), part.id::regclass) AS move
     FROM part JOIN pg_attribute ON attrelid = part.id AND attname = 'id'`,
  );
  for (const { move } of rows) await client.query(move);
}
