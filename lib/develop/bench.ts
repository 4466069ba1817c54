import { chmod, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { measureAudit } from "@/lib/develop/bench/audit";
import { Report, tableOf } from "@/lib/develop/bench/figures";
import { measureLists } from "@/lib/develop/bench/lists";
import { measureAfterLoad, measureRest } from "@/lib/develop/bench/memory";
import { measurePages } from "@/lib/develop/bench/pages";
import { openPlace, type Place } from "@/lib/develop/bench/place";
import { measureRatios } from "@/lib/develop/bench/ratios";
import { measureReports } from "@/lib/develop/bench/reports";
import { measureSignIns } from "@/lib/develop/bench/sign-ins";
import { measureStatements } from "@/lib/develop/bench/statements";
import { removeDataDir } from "@/lib/operate/embedded";
import { ensureBuild, ensurePrismaClient } from "@/lib/operate/stale";
import { PlainError } from "@/lib/server/plain-error";

// `npm run bench -- [--forms 1000000] [--quick] [--only ratios,lists] [--data FOLDER] [--json FILE]`: what the product
// takes on generated records, held against bars, against a bare server on the same data and, past 10,000 forms,
// against itself on 10,000. Figures depend on the machine; the ratios less so, since whatever is compared takes turns.
//   --quick   10,000 forms, about three minutes
//   --only    some of: memory, ratios, statements, lists, reports, sign-ins, pages, audit
//   --data    keeps the generated databases there for the next run, which measures on a copy
//   --json    writes the figures there

const SMALL = 10_000;
const SECTIONS = ["memory", "ratios", "statements", "lists", "reports", "sign-ins", "pages", "audit"];

const { values } = parseArgs({
  options: {
    forms: { type: "string" },
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    data: { type: "string" },
    json: { type: "string" },
  },
});
const quick = values.quick;
const forms = Number(values.forms ?? SMALL);
if (!Number.isInteger(forms) || forms < 2_000) throw new PlainError("--forms takes a number from 2,000 on.");
const only = values.only?.split(",") ?? SECTIONS;
const unknown = only.filter((section) => !SECTIONS.includes(section));
if (unknown.length > 0) throw new PlainError(`--only does not know ${unknown.join(", ")}.`);
const wants = (section: string) => only.includes(section);

const rounds = quick ? 3 : 5;
const amounts = quick
  ? {
      seconds: 0.3,
      reads: 1,
      lists: 2_000,
      saves: 200,
      keys: 3,
      signIns: { seconds: 2, rounds: 1, strangers: 30 },
      audit: { rows: 20_000, saves: 500 },
    }
  : {
      seconds: 1.5,
      reads: 5,
      lists: 50_000,
      saves: 2_000,
      keys: 12,
      signIns: { seconds: 6, rounds, strangers: 150 },
      audit: { rows: 1_000_000, saves: 1_500 },
    };

await ensurePrismaClient();
await ensureBuild(() => console.log("Building…"));
const folder = values.data
  ? path.resolve(values.data)
  : await mkdtemp(path.join(tmpdir(), "casebook-bench-"));
await mkdir(folder, { recursive: true });
await chmod(folder, 0o711);
const places: Place[] = [];
const report = new Report();

/** Stops what was started, in reverse order, and removes temporary files. */
async function close(): Promise<void> {
  for (const place of places.splice(0).toReversed()) {
    await place.stop();
    if (!values.data) await removeDataDir(place.dataDir);
  }
  if (!values.data) await removeDataDir(folder);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void close().finally(() => process.exit(1)));
}

const start = performance.now();
try {
  const open = async (size: number) => {
    const place = await openPlace(folder, size);
    places.push(place);
    return place;
  };
  const large = await open(forms);
  if (wants("memory")) measureRest(report, large);
  const small = forms > SMALL && (wants("ratios") || wants("lists")) ? await open(SMALL) : null;

  const sections: Record<string, () => Promise<void>> = {
    ratios: async () => {
      for (const place of [small, large])
        if (place) await measureRatios(report, place, rounds, amounts.seconds);
    },
    statements: () => measureStatements(report, large),
    lists: () => measureLists(report, large, small, rounds, amounts.reads),
    reports: () => measureReports(report, large, rounds),
    memory: () => measureAfterLoad(report, large, amounts.lists, amounts.saves),
    "sign-ins": () => measureSignIns(report, large, amounts.signIns),
    pages: () => measurePages(report, large, rounds, amounts),
    // Last, because it leaves many rows.
    audit: () => measureAudit(report, large, rounds, amounts.audit),
  };
  for (const [name, measure] of Object.entries(sections)) {
    if (!wants(name)) continue;
    // A measurement that fails is reported and does not stop the others.
    await measure().catch((error) => {
      process.exitCode = 1;
      report.add(`${name} could not be measured`, Number.NaN, String(error).slice(0, 200));
    });
  }
  console.log(`\n${"=".repeat(40)}\n${tableOf(report.figures)}`);
  console.log(`Measured in ${((performance.now() - start) / 60_000).toFixed(1)} minutes.`);
  if (values.json) await writeFile(values.json, JSON.stringify(report.figures, null, 2));
} finally {
  await close();
}
