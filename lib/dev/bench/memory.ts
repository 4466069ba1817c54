import { spawnSync } from "node:child_process";
import type { Place } from "@/lib/dev/bench/place";
import { rateOf, savesOf } from "@/lib/dev/bench/rates";
import type { Report } from "@/lib/dev/bench/report";

/** Adds the resident memory of the server's process, in MB. */
function add(report: Report, { process }: Place, name: string, most: number): void {
  const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(process.child.pid)], { encoding: "utf8" });
  const megabytes = Number(stdout) / 1024;
  report.add(name, megabytes, `${megabytes.toFixed(0)} MB`, { most });
}

/** Must be called before anything else is requested from the server. */
export function measureRest(report: Report, place: Place): void {
  report.section("Memory of the server's process");
  add(report, place, "at rest", 250);
}

/** Reads lists and saves forms, then measures again. */
export async function measureAfterLoad(report: Report, place: Place, lists: number, saves: number) {
  report.section("Memory of the server's process, loaded");
  await rateOf({ url: `${place.url}/api/forms`, headers: { cookie: place.cookie }, amount: lists });
  await rateOf({ url: place.url, amount: saves, ...(await savesOf(place)).load("/api/forms") });
  add(report, place, `after ${lists} lists and ${saves} saves`, 350);
}
