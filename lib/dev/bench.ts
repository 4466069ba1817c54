import { chmod, mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { PlainError } from "@/lib/core/server/plain-error";
import { Report } from "@/lib/dev/bench/report";
import { removeDataDir } from "@/lib/ops/embedded";
import { ensureBuild, ensurePrismaClient } from "@/lib/ops/stale";

// `npm run bench -- [--forms 1000000] [--rounds 7] [--only rates,times] [--data FOLDER]`: compares the
// product on generated records with the goals in docs/develop/performance.md. Rates are ratios to a bare server on the
// same data, taking turns, because ratios depend less on the machine.
//   --forms   10,000 unless told
//   --only    some of: memory, rates, times, pages
//   --data    keeps the generated database there for the next run, which measures a copy

const SECTIONS = ["memory", "rates", "times", "pages"];

const { values } = parseArgs({
  options: {
    forms: { type: "string", default: "10000" },
    rounds: { type: "string", default: "7" },
    only: { type: "string", default: SECTIONS.join(",") },
    data: { type: "string" },
  },
});
const [forms, rounds] = [Number(values.forms), Number(values.rounds)];
if (!Number.isInteger(forms) || forms < 2_000) throw new PlainError("--forms takes a number from 2,000 on.");
if (!Number.isInteger(rounds) || rounds < 1) throw new PlainError("--rounds takes a number from 1 on.");
const wanted = values.only.split(",");
const unknown = wanted.filter((section) => !SECTIONS.includes(section));
if (unknown.length > 0) throw new PlainError(`--only does not know ${unknown.join(", ")}.`);

await ensurePrismaClient();
await ensureBuild(() => console.log("Building…"));
// Only now: they import Prisma's client.
const { openPlace } = await import("@/lib/dev/bench/place");
const { measureAfterLoad, measureRest } = await import("@/lib/dev/bench/memory");
const { measureRates } = await import("@/lib/dev/bench/rates");
const { measureTimes } = await import("@/lib/dev/bench/times");
const { measurePages } = await import("@/lib/dev/bench/pages");

const folder = values.data
  ? path.resolve(values.data)
  : await mkdtemp(path.join(tmpdir(), "lanternbook-bench-"));
await mkdir(folder, { recursive: true });
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
  if (wanted.includes("memory")) measureRest(report, place);
  if (wanted.includes("rates")) await measureRates(report, place, rounds, 2);
  if (wanted.includes("times")) await measureTimes(report, place, rounds);
  if (wanted.includes("memory")) await measureAfterLoad(report, place, 20_000, 2_000);
  if (wanted.includes("pages")) await measurePages(report, place, rounds);
  console.log(`\n${report.summary()}`);
} finally {
  await close();
}
