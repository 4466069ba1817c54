import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { SEAL_LOCK } from "@/lib/audit/seals";
import { BARS, ms, type Report, times } from "@/lib/develop/bench/figures";
import { CONNECTIONS, inTurns, median, rateOf } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";
import { savesOf } from "@/lib/develop/bench/saves";

/** In flight at once. */
const SAVES = 500;
const MILLION = 1_000_000;
/** Rows that one transaction writes: fewer than a seal holds. */
const BATCH = 5_000;

/**
 * What sealing the audit trail costs while many save, how late it is then, and how long `npm run audit:verify` takes for
 * `rows` rows. `saves` in all should take several seconds, in which sealing has its turns.
 */
export async function measureAudit(
  report: Report,
  place: Place,
  rounds: number,
  { rows, saves }: { rows: number; saves: number },
) {
  report.section("Audit trail");
  await compareSaves(report, place, rounds, saves);
  await untilSealed(place);
  // So that of few rows only their own time is multiplied, not the start of the command.
  const start = verify(place);
  await fill(place, rows);
  await untilSealed(place);
  const seconds = verify(place);
  const perMillion = start + ((seconds - start) * MILLION) / rows;
  report.add(
    "audit:verify, 1,000,000 rows",
    perMillion,
    `${perMillion.toFixed(1)} s${rows === MILLION ? "" : ` (${seconds.toFixed(1)} s for ${rows})`}`,
    BARS.verifySeconds,
  );
}

async function compareSaves(report: Report, place: Place, rounds: number, calls: number): Promise<void> {
  const { database, product } = place;
  const saves = await savesOf(place);
  const rate = () =>
    rateOf(
      product,
      (_, connection) => {
        const [n, owner] = [Math.floor(connection / CONNECTIONS), connection % CONNECTIONS];
        return { method: "PUT", path: `/api/forms/${saves.id(n, owner)}`, body: saves.changed(n, owner) };
      },
      { calls, connections: SAVES },
    );
  const delays: number[] = [];
  const sealed = async () => {
    await untilSealed(place);
    const saving = rate();
    delays.push(await longestDelay(place, saving));
    return saving;
  };
  /** While another holds the lock, the program seals nothing. */
  const unsealed = async () => {
    await untilSealed(place);
    await database.query("SELECT pg_advisory_lock($1)", [SEAL_LOCK]);
    try {
      return await rate();
    } finally {
      await database.query("SELECT pg_advisory_unlock($1)", [SEAL_LOCK]);
    }
  };
  await rate();
  const [withSeals = [], without = []] = await inTurns(rounds, [sealed, unsealed]);
  const ratio = median(withSeals.map((own, round) => own / (without[round] ?? Number.NaN)));
  const shown = `${times(ratio)} (${median(withSeals).toFixed(0)} of ${median(without).toFixed(0)}/s)`;
  report.add(`${SAVES} saves at once, with sealing to without`, ratio, shown, BARS.sealedToUnsealed);
  const delay = Math.max(...delays);
  report.add(`longest delay of a seal, ${SAVES} saves at once`, delay, ms(delay), BARS.sealDelay);
}

/**
 * The most milliseconds in which a row was not yet sealed although its transaction and all before it had ended, until
 * `saving` ends and all is sealed. Seen from outside, each from the look before, so that no delay is longer than it says.
 */
async function longestDelay({ database }: Place, saving: Promise<unknown>): Promise<number> {
  let isSaving = true;
  const end = () => {
    isSaving = false;
  };
  saving.then(end, end);
  const waiting: { position: bigint; since: number }[] = [];
  let longest = 0;
  for (let since = performance.now(); isSaving || waiting.length > 0; ) {
    const now = performance.now();
    const { rows } = await database.query<{ ended: string; sealed: string }>(
      `SELECT COALESCE((SELECT max(position) FROM audit_events WHERE position < audit_horizon()), 0) AS ended,
         COALESCE((SELECT position FROM audit_seals ORDER BY id DESC LIMIT 1), 0) AS sealed`,
    );
    const [ended, sealed] = [BigInt(rows[0]?.ended ?? 0), BigInt(rows[0]?.sealed ?? 0)];
    if (ended >= sealed && ended > (waiting.at(-1)?.position ?? -1n))
      waiting.push({ position: ended, since });
    for (; waiting[0] && waiting[0].position < sealed; waiting.shift())
      longest = Math.max(longest, performance.now() - waiting[0].since);
    since = now;
    await sleep(20);
  }
  return longest;
}

/** Rows as the program writes them: records opened, lists read with the ids that they showed, and changes. */
async function fill({ database }: Place, rows: number): Promise<void> {
  for (let first = 0; first < rows; first += BATCH) {
    await database.query(
      `INSERT INTO audit_events (user_id, user_name, action, entity, entity_id, client_id, request_id, address, fields, rows, shown, details)
       SELECT 1, 'Ada Lovelace', kind.action, 'form', kind.id, kind.id, gen_random_uuid(), '192.0.2.1', kind.fields, cardinality(kind.shown),
         kind.shown, kind.details
       FROM generate_series($1::int, $2::int) AS n, LATERAL (VALUES
         (0, 'viewed', n, NULL::text[], NULL::int[], NULL::bytea),
         (1, 'listed', NULL, NULL, ARRAY(SELECT generate_series(n, n + 24)), NULL),
         (2, 'updated', n, ARRAY['form.serviceOn', 'form.serviceEntry.otherService'], NULL, decode(repeat(md5(n::text), 10), 'hex'))
       ) AS kind (place, action, id, fields, shown, details)
       WHERE kind.place = n % 3`,
      [first + 1, Math.min(first + BATCH, rows)],
    );
  }
}

/** Waits until the program has sealed every row. */
async function untilSealed({ database }: Place): Promise<void> {
  for (;;) {
    const { rowCount } = await database.query(
      `SELECT FROM audit_events
       WHERE position >= COALESCE((SELECT position FROM audit_seals ORDER BY id DESC LIMIT 1), 0) LIMIT 1`,
    );
    if (rowCount === 0) return;
    await sleep(100);
  }
}

/** The seconds that the command takes, its start included. */
function verify({ dataDir }: Place): number {
  const { PATH, HOME } = process.env;
  // Empty variables, so that a .env file cannot lead to another database.
  const elsewhere = { DATABASE_URL: "", DATABASE_OWNER_URL: "", AUTH_SECRET: "" };
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "./lib/operate/tsx.mjs", "lib/operate/audit-verify.ts"],
    {
      env: { NODE_ENV: "production", PATH, HOME, DATA_DIR: dataDir, ...elsewhere },
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`The audit trail could not be verified: ${stdout}${stderr}`);
  return (performance.now() - start) / 1000;
}
