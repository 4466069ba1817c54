import { type Call, Connection } from "@/lib/develop/bench/connection";
import { BARS, ms, type Report } from "@/lib/develop/bench/figures";
import { ask, median } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";
import { type Statement, withStatementLog } from "@/lib/develop/bench/statement-log";
import { REPORT_KEYS } from "@/lib/reports/definitions";

/** The last whole quarter of the generated records. */
const QUARTER = "from=2026-07-01&to=2026-09-30";

/** A funder's quarter, and the plan of its slowest statement. */
export async function measureReports(report: Report, place: Place, rounds: number): Promise<void> {
  report.section(`Reports of a quarter, ${place.forms} forms`);
  const connection = new Connection(place.product);
  const call = (key: string): Call => ({ method: "GET", path: `/api/reports/${key}?${QUARTER}` });
  for (const key of REPORT_KEYS) {
    const times: number[] = [];
    for (let n = 0; n < rounds; n++) times.push((await ask(connection, call(key))).milliseconds);
    report.add(`${key}, as it is answered`, median(times), ms(median(times)), BARS.reportMilliseconds);
  }
  await withStatementLog(place, async (costOf) => {
    const { statements } = await costOf(() => ask(connection, call("pccd")));
    const slowest = statements.reduce<Statement | null>(
      (most, one) => (most && most.milliseconds >= one.milliseconds ? most : one),
      null,
    );
    if (!slowest) return;
    report.add("slowest statement of pccd", slowest.milliseconds, ms(slowest.milliseconds));
    const { rows } = await place.database.query(`EXPLAIN (GENERIC_PLAN) ${slowest.text}`);
    console.log(rows.map((row) => `    ${row["QUERY PLAN"]}`).join("\n"));
  });
  connection.close();
}
