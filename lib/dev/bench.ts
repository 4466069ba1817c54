import { chmod, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { PlainError } from "@/lib/core/process/plain-error";
import { Report } from "@/lib/dev/bench/report";
import { removeDataDir } from "@/lib/ops/embedded";
import { ensureBuild } from "@/lib/ops/stale";

// `npm run bench` measures how fast the product is on generated records, against the goals of docs/develop/performance.md. Rates are
// ratios to a bare server on the same data, in turns, because ratios depend less on the machine.

const SECTIONS = ["memory", "rates", "times", "pages", "largest"];
const USAGE = `npm run bench -- [options]
  --forms N     generated forms: 2,000 or more, 10,000 by default
  --rounds N    measurements of each figure: 7 by default
  --only LIST   some of: ${SECTIONS.join(",")}
  --data FOLDER keeps the generated database there for the next run, which measures a copy`;

const { values } = parseArgs({
  options: {
    forms: { type: "string", default: "10000" },
    rounds: { type: "string", default: "7" },
    only: { type: "string", default: SECTIONS.join(",") },
    data: { type: "string" },
  },
});
const forms = Number(values.forms);
const rounds = Number(values.rounds);
const sections = values.only.split(",");
const isUsable = Number.isInteger(forms) && forms >= 2_000 && Number.isInteger(rounds) && rounds >= 1;
if (!isUsable || sections.some((section) => !SECTIONS.includes(section))) throw new PlainError(USAGE);

await ensureBuild();
// The import comes this late because these modules import Prisma's client.
const { openPlace } = await import("@/lib/dev/bench/place");
const { measureRates, measureRest, measureAfterLoad } = await import("@/lib/dev/bench/load");
const { measureTimes } = await import("@/lib/dev/bench/times");
const { measurePages } = await import("@/lib/dev/bench/pages");
const { measureLargest } = await import("@/lib/dev/bench/largest");

const folder = values.data
  ? path.resolve(values.data)
  : await mkdtemp(path.join(tmpdir(), "lanternbook-bench-"));
await mkdir(folder, { recursive: true });
// PostgreSQL may run under a separate account.
await chmod(folder, 0o711);
const place = await openPlace(folder, forms);
const close = async () => {
  await place.stop();
  if (values.data) return;
  await removeDataDir(place.dataDir);
  await removeDataDir(folder);
};
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void close().finally(() => process.exit(1)));

const report = new Report();
try {
  if (sections.includes("memory")) measureRest(report, place);
  if (sections.includes("rates")) await measureRates(report, place, rounds, 2);
  if (sections.includes("times")) await measureTimes(report, place, rounds);
  if (sections.includes("memory")) await measureAfterLoad(report, place, 20_000, 2_000);
  if (sections.includes("pages")) await measurePages(report, place, rounds);
  if (sections.includes("largest")) await measureLargest(report, place, rounds);
  console.log(`\n${report.summary()}`);
} finally {
  await close();
}
