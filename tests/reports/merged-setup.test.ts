import { expect, test } from "vitest";
import { mergedSetup } from "@/components/reports/merged-setup";
import type { Mapping } from "@/lib/reports/mapping";

const row = (source: string, line: string, more: Partial<Mapping> = {}): Mapping => ({
  kind: "service_code",
  source,
  formTypeId: null,
  line,
  validFrom: "1900-01-01",
  validThrough: null,
  ...more,
});
const settings = { yearStart: 1, dueDays: "30", dueFrom: null };

test("a merge of two edited setups keeps the changes of both, and names what both changed differently", () => {
  const base = {
    settings,
    mappings: [row("same", "a"), row("mine", "a"), row("theirs", "a"), row("both", "a")],
  };
  const split = [
    row("mine", "a", { validThrough: "2026-06-30" }),
    row("mine", "b", { validFrom: "2026-07-01" }),
  ];
  const mine = {
    settings: { ...settings, yearStart: 7, dueDays: "40" },
    mappings: [row("same", "a"), ...split, row("theirs", "a"), row("both", "mine")],
  };
  const theirs = {
    settings: { ...settings, dueFrom: "2025-01-01", dueDays: "50" },
    mappings: [row("both", "theirs"), row("added", "c"), row("same", "a"), row("mine", "a")],
  };
  const merged = mergedSetup(base, mine, theirs);
  expect(merged.settings).toEqual({ yearStart: 7, dueDays: "40", dueFrom: "2025-01-01" });
  expect(new Set(merged.mappings)).toEqual(
    new Set([row("same", "a"), ...split, row("both", "mine"), row("added", "c")]),
  );
  const clashes = ["same", "mine", "theirs", "both", "added"].filter((source) =>
    merged.bothChanged({ kind: "service_code", source }),
  );
  expect(clashes).toEqual(["both"]);
  expect([merged.bothChanged("dueDays"), merged.bothChanged("yearStart")]).toEqual([true, false]);
});

test("a merge takes no other order of a value's rows for a change", () => {
  const rows = [
    row("one", "a", { validThrough: "2026-06-30" }),
    row("one", "b", { validFrom: "2026-07-01" }),
  ];
  const base = { settings, mappings: rows };
  const theirs = { settings, mappings: [row("one", "c")] };
  expect(mergedSetup(base, { settings, mappings: rows.toReversed() }, theirs).mappings).toEqual(
    theirs.mappings,
  );
});
