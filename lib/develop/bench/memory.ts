import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { BARS, type Bar, type Report } from "@/lib/develop/bench/figures";
import { rateOf } from "@/lib/develop/bench/load";
import type { Place } from "@/lib/develop/bench/place";
import { savesOf } from "@/lib/develop/bench/saves";

/** The resident memory of the server's process, in MB. */
function memoryOf({ process }: Place): number {
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(process.child.pid)], { encoding: "utf8" });
  return Number(stdout) / 1024;
}

const add = (report: Report, name: string, megabytes: number, bar: Bar) =>
  report.add(name, megabytes, `${megabytes.toFixed(0)} MB`, bar);

/** Must be called before anything else is requested from the server. */
export function measureRest(report: Report, place: Place): void {
  report.section("Memory of the server's process");
  add(report, "at rest, once it serves", memoryOf(place), BARS.memoryAtRest);
}

/** Reads the given number of lists and saves the given number of forms, then measures again. */
export async function measureAfterLoad(report: Report, place: Place, lists: number, saves: number) {
  report.section("Memory of the server's process, loaded");
  const bodies = await savesOf(place);
  await rateOf(place.product, () => ({ method: "GET", path: "/api/forms" }), { calls: lists });
  await rateOf(
    place.product,
    (n, connection) => ({
      method: "PUT",
      path: `/api/forms/${bodies.id(n, connection)}`,
      body: bodies.changed(n, connection),
    }),
    { calls: saves },
  );
  await sleep(5_000);
  add(report, `after ${lists} lists and ${saves} saves`, memoryOf(place), BARS.memoryAfterLoad);
}
