import { type Call, Connection } from "@/lib/develop/bench/connection";
import { BARS, type Bar, ms, type Report, times } from "@/lib/develop/bench/figures";
import { inTurns, median } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";
import { type Cost, withStatementLog } from "@/lib/develop/bench/statement-log";
import { lastOf, lastPage, termsOf, type Variant, variants } from "@/lib/develop/bench/variants";

// Lists in all their variants: one call at a time, alternating between the large and the small database, with
// PostgreSQL's own timings. Variants that the product does not have are left out.

/** Calls that are faster than this are repeated three times as often where only calls are timed. */
const SLOW_MS = 300;
const FAR_PAGE = 400;

/** The time of one variant in milliseconds; NaN if it was answered with an error. */
interface Measured {
  variant: Variant;
  /** The first page's call, on the large and the small database. */
  large: number;
  small: number;
  sql: number;
  /** Of the large database; absent where there are no such pages. */
  page400?: Page;
  /** Page 400 as Next asks for it on page 399. */
  following?: Page;
  last?: Page;
}
type Page = { call: number; sql: number };

/**
 * Measures all variants of `large`, and their growth from `small` where there is one. `reads`: how often a page is read for
 * its SQL time, of which the median counts, after it was read from disk and its statement was planned.
 */
export async function measureLists(
  report: Report,
  large: Place,
  small: Place | null,
  rounds: number,
  reads: number,
) {
  report.section(`Lists, ${large.forms} forms${small ? ` against ${small.forms}` : ""}`);
  const measured = await timeCalls(large, small, rounds);
  const slowest = await addStatements(large, measured, reads);
  show(report, measured, small);
  report.add(
    "slowest statement of all",
    slowest.milliseconds,
    `${ms(slowest.milliseconds)}: ${slowest.name}`,
    BARS.slowestStatement,
  );
}

/** The time of one response in milliseconds; NaN for an error, null if the product has no such list. */
async function timeOf(connection: Connection, call: Call): Promise<number | null> {
  const { status, milliseconds } = await connection.send(call);
  if (status === 422 || status === 404) return null;
  return status === 200 ? milliseconds : Number.NaN;
}

async function timeCalls(large: Place, small: Place | null, rounds: number): Promise<Measured[]> {
  const sides = await Promise.all(
    [large, ...(small ? [small] : [])].map(async (place) => ({
      connection: new Connection(place.product),
      terms: await termsOf(place),
    })),
  );
  const measured: Measured[] = [];
  for (const variant of variants()) {
    const calls = sides.map(
      ({ connection, terms }) =>
        () =>
          timeOf(connection, variant.call(terms, 1)),
    );
    let longest = 0;
    let offered = true;
    for (const call of calls) {
      const first = await call();
      if (first === null) offered = false;
      else longest = Math.max(longest, Number.isNaN(first) ? SLOW_MS : first);
    }
    if (!offered) continue;
    const [ours = [], theirs = []] = await inTurns(longest < SLOW_MS ? rounds * 3 : rounds, calls);
    measured.push({ variant, large: medianOf(ours), small: medianOf(theirs), sql: Number.NaN });
  }
  for (const { connection } of sides) connection.close();
  return measured;
}

const medianOf = (times: (number | null)[]) => median(times.map((time) => time ?? Number.NaN));

/** Adds the SQL time of each variant and of its far pages; returns the slowest statement. */
async function addStatements(place: Place, measured: Measured[], reads: number) {
  const terms = await termsOf(place);
  const connection = new Connection(place.product);
  let slowest = { milliseconds: 0, name: "" };
  await withStatementLog(place, async (costOf) => {
    const pageOf = async (variant: Variant, page: number, after?: number): Promise<Page> => {
      const calls: number[] = [];
      const costs: Cost[] = [];
      const call = variant.call(terms, page, after);
      await timeOf(connection, call);
      for (let n = 0; n < reads; n++) {
        costs.push(await costOf(async () => calls.push((await timeOf(connection, call)) ?? Number.NaN)));
      }
      for (const { milliseconds } of costs.at(-1)?.statements ?? []) {
        if (milliseconds > slowest.milliseconds)
          slowest = { milliseconds, name: `${variant.group}: ${variant.name}, page ${page}` };
      }
      return { call: median(calls), sql: median(costs.map(ofTheList)) };
    };
    for (const entry of measured) {
      entry.sql = (await pageOf(entry.variant, 1)).sql;
      const last = await lastPage(place, terms, entry.variant).catch(() => FAR_PAGE);
      if (last >= FAR_PAGE) entry.page400 = await pageOf(entry.variant, FAR_PAGE);
      if (last > 1) entry.last = await pageOf(entry.variant, last);
    }
    // These come last: a process prepares only so many texts (lib/database/prepared.ts), and must not run out of them
    // before all first pages are measured.
    for (const entry of measured) {
      if (!entry.page400 || !entry.variant.follows) continue;
      const after = await lastOf(place, terms, entry.variant, FAR_PAGE - 1);
      entry.following = await pageOf(entry.variant, FAR_PAGE, after);
    }
  });
  connection.close();
  return slowest;
}

/** Milliseconds of the list's own statements, without looking up the session. */
const ofTheList = ({ statements }: Cost) =>
  statements
    .filter(({ text }) => !/\bsessions\b/.test(text))
    .reduce((sum, { milliseconds }) => sum + milliseconds, 0);

type Judged = { entry: Measured; value: number };

/** The entry with the worst value; one that could not be measured is worse than any. */
function worstOf(entries: Measured[], measure: (entry: Measured) => number): Judged | undefined {
  const judged = entries.map((entry): Judged => ({ entry, value: measure(entry) }));
  return judged.find(({ value }) => Number.isNaN(value)) ?? judged.sort((a, b) => b.value - a.value)[0];
}

const GROWTH: Record<Variant["kind"], Bar | undefined> = {
  sorted: BARS.firstPageGrowth,
  search: BARS.searchGrowth,
  similar: BARS.similarGrowth,
  other: undefined,
};

function show(report: Report, measured: Measured[], small: Place | null): void {
  const groups = new Map(
    measured.map(({ variant: { group } }) => [
      group,
      measured.filter(({ variant }) => variant.group === group),
    ]),
  );
  const pages = (
    name: string,
    judged: Judged | undefined,
    page: (entry: Measured) => Page | undefined,
    bar: Bar,
  ) => {
    if (!judged) return;
    const { call = Number.NaN, sql = Number.NaN } = page(judged.entry) ?? {};
    const shown = `${times(judged.value)} first page's SQL (${ms(sql)}, call ${ms(call)}): ${judged.entry.variant.name}`;
    report.add(name, judged.value, shown, bar);
  };
  for (const [group, entries] of groups) {
    const kind = entries[0]?.variant.kind ?? "other";
    const judged = small
      ? worstOf(entries, (entry) => entry.large / entry.small)
      : worstOf(entries, ({ large }) => large);
    if (judged) {
      const { entry, value } = judged;
      const name = entry.variant.name && `: ${entry.variant.name}`;
      const own = `call ${ms(entry.large)}, SQL ${ms(entry.sql)}${name}`;
      if (small) report.add(group, value, `${times(value)} of ${ms(entry.small)} (${own})`, GROWTH[kind]);
      else report.add(group, value, own);
    }
    const far = entries.filter(({ page400 }) => page400);
    const ended = entries.filter(({ last }) => last);
    pages(
      `${group}, page ${FAR_PAGE}`,
      worstOf(far, (entry) => (entry.page400?.sql ?? 0) / entry.sql),
      (entry) => entry.page400,
      BARS.page400,
    );
    pages(
      `${group}, page ${FAR_PAGE} by Next`,
      worstOf(
        entries.filter(({ following }) => following),
        (entry) => (entry.following?.sql ?? 0) / entry.sql,
      ),
      (entry) => entry.following,
      BARS.page400,
    );
    pages(
      `${group}, last page`,
      worstOf(ended, (entry) => (entry.last?.sql ?? 0) / entry.sql),
      (entry) => entry.last,
      BARS.lastPage,
    );
    const longest = worstOf(ended, (entry) =>
      Math.max(entry.page400?.call ?? 0, entry.last?.call ?? Number.NaN),
    );
    if (longest) {
      report.add(
        `${group}, longest far page`,
        longest.value,
        `${ms(longest.value)}: ${longest.entry.variant.name}`,
        BARS.farPageMilliseconds,
      );
    }
  }
}
