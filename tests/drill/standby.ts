import { spawnSync } from "node:child_process";
import { chmod, cp, mkdir, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { ensureHome } from "@/lib/ops/embedded-files";

// Streaming replication of embedded PostgreSQLs, which lack pg_basebackup, for tests and drills.

/** The files of a running cluster that a copy omits: its process, its log and its connections. */
const EXCLUDED_FILES =
  /^(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|.*pg_internal\.init|.*pgsql_tmp.*)$/;

/**
 * Makes the new folder `dataDir` a standby of the cluster that runs in `primaryDir` under `url`. `startCluster` starts
 * it. The primary retains its log until the standby has received it.
 */
export async function makeStandby(primaryDir: string, url: string, dataDir: string): Promise<void> {
  const from = await realpath(path.join(primaryDir, "postgres"));
  const { home, account } = await ensureHome(dataDir, () => {});
  const source = path.join(from, "data");
  const target = path.join(home, "data");
  const slot = path.basename(dataDir).toLowerCase().replace(/\W/g, "_");
  const { hostname, port, username, password } = new URL(url);
  const primary = new pg.Client(url);
  await primary.connect();
  try {
    await primary.query("SELECT pg_create_physical_replication_slot($1, true)", [slot]);
    await primary.query("SELECT pg_backup_start('standby', fast => true)");
    const wanted = (file: string) => !EXCLUDED_FILES.test(path.relative(source, file));
    await cp(source, target, { recursive: true, filter: wanted });
    const { rows } = await primary.query<{ label: string }>(
      "SELECT labelfile AS label FROM pg_backup_stop(wait_for_archive => false)",
    );
    await writeFile(path.join(target, "backup_label"), rows[0]?.label ?? "");
  } finally {
    await primary.end();
  }
  await mkdir(path.join(target, "pg_wal"), { recursive: true });
  await writeFile(path.join(target, "standby.signal"), "");
  const address = `host=${hostname} port=${port} user=${username} password=${password} application_name=${slot}`;
  await writeFile(
    path.join(target, "postgresql.auto.conf"),
    `primary_conninfo = '${address}'\nprimary_slot_name = '${slot}'\n`,
  );
  await cp(path.join(from, "password"), path.join(home, "password"));
  await chmod(target, 0o700);
  if (account.uid !== undefined) spawnSync("chown", ["-R", `${account.uid}:${account.gid}`, home]);
}
