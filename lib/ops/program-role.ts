import "server-only";
import pg from "pg";
import type { Query } from "@/lib/core/database/client";
import { POOLED_SETTINGS } from "@/lib/core/database/settings";
import { env } from "@/lib/core/process/env";
import { PlainError } from "@/lib/core/process/plain-error";
import { sql } from "@/lib/core/sql";

// The program connects as a role that reads and writes users' data. In the audit trail it inserts and reads rows, but
// cannot change or remove one. It cannot change the schema either. The owner, who migrates, grants these rights at each
// start.

/** The columns of an audit row that the program may set. The database sets its id, time and position. */
const AUDIT_COLUMNS = `user_id, user_name, action, entity, entity_id, client_id, request_id, address, fields, "rows",
  shown, key_id, details`;

/**
 * Creates the role in `url` if it is missing, sets its password unless it is blank, and grants it the program's rights.
 * `owner` is connected.
 */
export async function ensureProgramRole(owner: pg.ClientBase, url: string): Promise<void> {
  const { username, password, pathname } = new URL(url);
  const name = decodeURIComponent(username);
  const secret = decodeURIComponent(password);
  const role = pg.escapeIdentifier(name);
  const { rows } = await owner.query<{ itself: boolean; exists: boolean; rolsuper: boolean; owns: boolean }>(
    `SELECT current_user = $1 AS itself, r.rolname IS NOT NULL AS exists, COALESCE(r.rolsuper, false) AS rolsuper,
       EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid AND c.relnamespace = 'public'::regnamespace) AS owns
     FROM (SELECT $1) AS wanted(name) LEFT JOIN pg_roles r ON r.rolname = wanted.name`,
    [name],
  );
  const roleRow = rows[0];
  if (roleRow?.itself) return;
  if (roleRow?.rolsuper || roleRow?.owns)
    throw new PlainError(
      `DATABASE_URL names ${name}, which could change the audit trail: it is a superuser or owns tables. Name a new role there; the owner creates it.`,
    );
  const login = `LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE${secret && ` PASSWORD ${pg.escapeLiteral(secret)}`}`;
  await owner.query(`${roleRow?.exists ? "ALTER" : "CREATE"} ROLE ${role} ${login}`);
  const database = pg.escapeIdentifier(decodeURIComponent(pathname.slice(1)));
  // The partitions need the rights too, and have other names.
  const { rows: parts } = await owner.query<{ name: string }>(
    "SELECT format('%I', relid::regclass) AS name FROM pg_partition_tree('audit_events')",
  );
  const protectedTables = [
    "audit_seals",
    "audit_retention",
    "_prisma_migrations",
    ...parts.map((part) => part.name),
  ];
  // One call is one transaction: the role may never change the audit trail, not even for a moment.
  await owner.query(`
    GRANT CONNECT ON DATABASE ${database} TO ${role};
    REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${role};
    GRANT USAGE ON SCHEMA public TO ${role};
    REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
    GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO ${role};
    GRANT EXECUTE ON FUNCTION drop_audit_month(date, int, text) TO ${role};
    REVOKE ALL ON ${protectedTables.join(", ")} FROM ${role};
    REVOKE ALL ON SEQUENCE audit_events_id_seq FROM ${role};
    GRANT USAGE ON SEQUENCE audit_events_id_seq TO ${role};
    GRANT SELECT, INSERT (${AUDIT_COLUMNS}) ON audit_events TO ${role};
    GRANT SELECT, INSERT ON audit_seals TO ${role};
    GRANT SELECT ON audit_retention, _prisma_migrations TO ${role}`);
}

/** Gives the role in `url` the program's settings, for connections that a pooler opens from now on. */
export async function applySettings(owner: pg.ClientBase, url: string): Promise<void> {
  const role = pg.escapeIdentifier(decodeURIComponent(new URL(url).username));
  const { rows } = await owner.query<{ name: string }>("SELECT current_database() AS name");
  const database = pg.escapeIdentifier(rows[0]?.name ?? "");
  const given = Object.entries(POOLED_SETTINGS).map(
    ([name, value]) => `ALTER ROLE ${role} IN DATABASE ${database} SET ${name} TO ${pg.escapeLiteral(value)}`,
  );
  await owner.query(given.join("; "));
}

/** Throws if a pooled connection lacks the program's settings. */
export async function assertSettings(query: Query): Promise<void> {
  const lacking = await query<{ name: string }>(
    sql`SELECT s.name FROM json_each_text(${JSON.stringify(POOLED_SETTINGS)}::json) AS given
       JOIN pg_settings s ON s.name = given.key
     WHERE s.setting <> given.value`,
  );
  if (lacking.length === 0) return;
  throw new PlainError(
    `The pooler's connections are older than what was set for their role (${lacking.map(({ name }) => name).join(", ")}): run RECONNECT on its console, and start again.`,
  );
}

/** True if the role of `query` could change or remove rows of the trail. */
export async function canChangeAudit(query: Query): Promise<boolean> {
  const [row] = await query<{ can: boolean }>(
    sql`SELECT rolsuper OR has_table_privilege('audit_events', 'UPDATE, DELETE, TRUNCATE')
       OR has_schema_privilege('public', 'CREATE') AS can FROM pg_roles WHERE rolname = current_user`,
  );
  return row?.can ?? true;
}

/**
 * Creates the trail's partitions for the coming months, and stores how long months are retained. A restore may move the
 * rows into a PostgreSQL whose transaction ids are smaller. Then new positions continue after the restored ones.
 */
export async function prepareAudit(owner: pg.ClientBase): Promise<void> {
  await owner.query("SELECT make_audit_months(now())");
  await owner.query("UPDATE audit_retention SET months = $1", [env().AUDIT_KEEP_MONTHS]);
  const { rows } = await owner.query<{ offset: string; needed: string }>(
    `SELECT audit_offset()::text AS offset,
       (GREATEST((SELECT max("position") FROM audit_seals), (SELECT max("position") + 1 FROM audit_events), 0)
         - pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text AS needed`,
  );
  const { offset = "0", needed = "0" } = rows[0] ?? {};
  if (BigInt(needed) <= BigInt(offset)) return;
  await owner.query(
    `CREATE OR REPLACE FUNCTION audit_offset() RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
     RETURN ${BigInt(needed)}::bigint`,
  );
}
