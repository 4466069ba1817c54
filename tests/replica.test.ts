import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { permissionKeys } from "@/lib/core/access/permissions";
import { closeDatabase } from "@/lib/core/database/client";
import { replicaReader } from "@/lib/core/database/replica";
import { env } from "@/lib/core/process/env";
import { processWide } from "@/lib/core/process-wide";
import { sql } from "@/lib/core/sql";
import { queryAt } from "@/lib/dev/query";
import { type Cluster, freePort, removeDataDir, startCluster } from "@/lib/ops/embedded";
import { ensureHome } from "@/lib/ops/embedded-files";
import { prepareDatabase } from "@/lib/ops/prepare";
import { exportArchive } from "@/lib/transfer/archive/archive";
import { actorFor, call } from "@/tests/call";
import { freeze, kill } from "@/tests/drill/faults";
import { type Relay, startRelay } from "@/tests/drill/relay";
import { makeStandby } from "@/tests/drill/standby";
import { makeUser } from "@/tests/factories";
import { takeLog } from "@/tests/setup/console";
import { tempDataDir } from "@/tests/setup/data-dir";
import { addClient, addForm, makeReporter, type Reporter } from "./reports/world";

vi.unmock("@/lib/core/database/limits");

// Two PostgreSQL servers of this file only, in streaming replication. The second is paused, frozen and
// stopped, and is promoted when the first is killed.

let world: Reporter;
let primaryDir: string;
let standbyDir: string;
let primary: Cluster;
let standby: Cluster;
let port: number;
/** A stable address for the primary, as a cluster manager provides. */
let name: Relay;

beforeAll(async () => {
  const now = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => now() + ahead);
  primaryDir = await tempDataDir();
  standbyDir = await tempDataDir();
  primary = await startCluster({ dataDir: primaryDir, throwaway: true });
  process.env.DATABASE_URL = primary.url;
  await prepareDatabase(primary.url, {}, false);
  const namePort = await freePort();
  name = await startRelay(namePort, Number(new URL(primary.url).port));
  // A late flush reaches the standby late.
  await at(primary, "ALTER DATABASE lanternbook SET synchronous_commit = on");
  await makeStandby(primaryDir, primary.url, standbyDir);
  port = await freePort();
  standby = await startCluster({ dataDir: standbyDir, port, throwaway: true });
  await closeDatabase();
  const named = new URL(primary.url);
  named.port = String(namePort);
  Object.assign(env(), { DATABASE_URL: named.href, DATABASE_REPLICA_URL: standby.url });
  world = await makeReporter();
});

afterAll(async () => {
  vi.restoreAllMocks();
  await closeDatabase();
  await name.stop();
  await standby.stop();
  await primary.stop();
  await removeDataDir(standbyDir);
  await removeDataDir(primaryDir);
});

const at = <Row>({ url }: Cluster, sql: string) => queryAt<Row>(url, sql);

const QUARTER = "from=2001-10-01&to=2001-12-31";
const get = async (path: string) => {
  const { status, body } = await call(world.viewer.cookie, "GET", path);
  expect(status).toBe(200);
  return body;
};

/**
 * Returns the number served in the quarter, and how many seconds the report is behind, or null without such a
 * note.
 */
async function report() {
  const { sections, notes } = (await get(`/api/reports/pmt?${QUARTER}`)).report;
  const lines: { key: string; count: number }[] = sections.flatMap((section: { lines: [] }) => section.lines);
  const note = /^As of \d\d:\d\d:\d\d [AP]M, (\d+) seconds? behind\.$/.exec(notes[0]);
  return {
    served: lines.find(({ key }) => key === "individuals_served")?.count,
    behind: note && Number(note[1]),
  };
}
const readLineRecords = async () =>
  (await get(`/api/reports/pmt/lines/individuals_served?${QUARTER}`)).clients.length;
const serveOne = async () =>
  addForm(world.owner, await addClient(world.owner), "2001-10-05", [["CRISIS", 30]]);
/**
 * Reads the report with the clock moved past the pause after which an unresponsive replica is tried again.
 */
let ahead = 0;
const reportLater = () => {
  ahead += 11_000;
  return report();
};
/** Returns what the log says about the replica since the last call. */
const replicaSays = () =>
  takeLog().flatMap(({ message, reason }) =>
    message.startsWith("The replica") ? [{ message, reason }] : [],
  );
const BACK = { message: "The replica is available again: reports and exports are read from it." };

test("a report is counted on the replica and states how far it is behind", async () => {
  await serveOne();
  await expect.poll(reportLater).toEqual({ served: 1, behind: 0 });
  await at(standby, "SELECT pg_wal_replay_pause()");
  await serveOne();
  // The primary would count two.
  await expect.poll(reportLater).toEqual({ served: 1, behind: expect.any(Number) });
});

test("a list of people is never outdated: it is read from the primary until the replica has caught up", async () => {
  expect(await readLineRecords()).toBe(2);
  expect((await replicaReader(0)).asOf()).toBeNull();
  await at(standby, "SELECT pg_wal_replay_resume()");
  await expect.poll(reportLater).toEqual({ served: 2, behind: 0 });
  expect(await readLineRecords()).toBe(2);
});

test("an export of more than a minute continues on the primary once the replica falls behind", async () => {
  let reader = await replicaReader(0);
  for (; !reader.asOf(); reader = await replicaReader(0)) await reportLater();
  await at(standby, "SELECT pg_wal_replay_pause()");
  await at(primary, "CREATE TABLE later ()");
  const sees = () => reader.rows("what is new", sql`SELECT to_regclass('later') IS NOT NULL AS later`);
  expect(await sees()).toEqual([{ later: false }]);
  ahead += 61_000;
  expect(await sees()).toEqual([{ later: true }]);
  await at(standby, "SELECT pg_wal_replay_resume()");
  await expect.poll(reportLater).toEqual({ served: 2, behind: 0 });
});

test("a list export, a client's whole record and the archive of all data are read from the replica", async () => {
  const exporter = await makeUser(permissionKeys);
  const [{ id: clientId }] = (await call(exporter.cookie, "GET", "/api/clients")).body.clients;
  const record = `/api/clients/${clientId}/record.json`;
  // Each server counts its own scans of a table.
  const scans = async (table: string) => {
    const [row] = await at<{ scans: number }>(
      standby,
      `SELECT (seq_scan + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_user_tables WHERE relname = '${table}'`,
    );
    return row?.scans ?? 0;
  };
  for (const [path, table] of [
    ["/api/canines.csv", "canines"],
    [record, "users"],
    ["/api/archive.zip", "client_holds"],
  ] as const) {
    const before = await scans(table);
    // Until the replica has caught up, the primary is read.
    await expect
      .poll(async () => {
        await reportLater();
        expect((await call(exporter.cookie, "GET", path)).status).toBe(200);
        return scans(table);
      })
      .toBeGreaterThan(before);
  }
  const { client: found, forms } = (await call(exporter.cookie, "GET", record)).body;
  expect(found).toEqual((await call(exporter.cookie, "GET", `/api/clients/${clientId}`)).body.client);
  expect(forms).toHaveLength(1);
  const recorded = await at<{ entity: string; action: string }>(
    primary,
    `SELECT entity, action FROM audit_events WHERE client_id = ${clientId} AND action = 'exported' ORDER BY id DESC LIMIT 2`,
  );
  expect(recorded.map(({ entity }) => entity)).toEqual(["form", "client"]);
});

test("a canceled download of all data leaves the replica in use", async () => {
  const logAfterCanceling = async () => {
    await reportLater();
    if (!(await replicaReader(0)).asOf()) return "not in use";
    takeLog();
    const reader = (await exportArchive(await actorFor(world.viewer))).getReader();
    await reader.read();
    await reader.cancel();
    await report();
    return replicaSays();
  };
  await expect.poll(logAfterCanceling).toEqual([]);
});

test("a statement that the replica does not finish is repeated on the primary", async () => {
  let reader = await replicaReader(0);
  for (; !reader.asOf(); reader = await replicaReader(0)) await reportLater();
  const thaw = await freeze(standbyDir);
  try {
    const count = sql`SELECT count(*)::int AS clients FROM clients`;
    expect(await reader.rows("clients counted", count)).toEqual([{ clients: 2 }]);
    expect(reader.asOf()).toBeNull();
  } finally {
    thaw();
  }
  await expect.poll(reportLater).toEqual({ served: 2, behind: 0 });
});

test("an unavailable replica is taken out of use and returns automatically", async () => {
  takeLog();
  await standby.stop();
  expect(await report()).toEqual({ served: 2, behind: null });
  await serveOne();
  expect(await report()).toEqual({ served: 3, behind: null });
  expect(replicaSays()).toEqual([
    {
      message: "The replica is not used: reports and exports are read from the primary.",
      reason: "ECONNREFUSED",
    },
  ]);
  standby = await startCluster({ dataDir: standbyDir, port, throwaway: true });
  await expect.poll(reportLater).toEqual({ served: 3, behind: 0 });
  expect(replicaSays()).toContainEqual(BACK);
});

test("a killed primary loses no data if its synchronous standby takes over, which then is no longer a replica", async () => {
  await at(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await at(primary, "SELECT pg_reload_conf()");
  const states = () => at<{ state: string }>(primary, "SELECT sync_state AS state FROM pg_stat_replication");
  await expect.poll(states).toEqual([{ state: "sync" }]);

  const acknowledged: string[] = [];
  const odd: number[] = [];
  let over = false;
  const saves = async (worker: number) => {
    for (let n = 0; !over; n++) {
      const key = `Saved ${worker}.${n}`;
      for (let status = 0; status !== 201; await sleep(20)) {
        const client = { name: key };
        const headers = { "idempotency-key": key };
        ({ status } = await call(world.owner.cookie, "POST", "/api/clients", { client }, { headers }));
        if (![201, 409, 503].includes(status)) odd.push(status);
      }
      acknowledged.push(key);
    }
  };
  const work = Promise.all([1, 2, 3, 4].map(saves));
  const more = async (than: number) => expect.poll(() => acknowledged.length).toBeGreaterThan(than);
  await more(8);
  await kill(primaryDir);
  await primary.stop();
  const before = acknowledged.length;
  await at(standby, "SELECT pg_promote()");
  name.lead(port);
  await more(before + 8);
  over = true;
  await work;

  expect(odd).toEqual([]);
  const found = await at<{ name: string }>(standby, "SELECT name FROM clients WHERE name LIKE 'Saved %'");
  expect(found.map((row) => row.name).sort()).toEqual(acknowledged.sort());
  expect(await reportLater()).toEqual({ served: 3, behind: null });
  await expect
    .poll(async () => {
      await reportLater();
      return replicaSays().at(-1)?.reason;
    })
    .toBe("not a standby");
});

test("a replica left behind on another timeline is not read", async () => {
  const { home } = await ensureHome(primaryDir, () => {});
  await writeFile(path.join(home, "data", "standby.signal"), "");
  primary = await startCluster({ dataDir: primaryDir, throwaway: true });
  await closeDatabase();
  Object.assign(env(), { DATABASE_REPLICA_URL: primary.url });
  await expect
    .poll(async () => {
      // Only a replica that was in use is reported as unavailable.
      processWide("replica", () => ({ isAway: true })).isAway = false;
      const { behind } = await report();
      return [behind, replicaSays().at(-1)?.reason];
    })
    .toEqual([null, "of another timeline"]);
});
