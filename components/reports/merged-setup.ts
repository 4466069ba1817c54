import type { Mapping } from "@/lib/reports/mapping";

/** The settings of a setup next to its mappings. `dueDays` is as typed. */
export type Settings = { yearStart: number; dueDays: string; dueFrom: string | null };
export type EditedSetup = { settings: Settings; mappings: readonly Mapping[] };

type ValueKey = { kind: string; source: string };
const keyOf = ({ kind, source }: ValueKey) => `${kind} ${source}`;

/**
 * Returns the setup that someone else has stored, with the changes that were made here since `base`. What both changed
 * differently keeps the choice made here; `bothChanged` is true for a value or a setting of that kind.
 */
export function mergedSetup(base: EditedSetup, mine: EditedSetup, theirs: EditedSetup) {
  const clashes = new Set<string>();
  /** Returns the version to keep of one value or setting. */
  function kept<Part>(key: string, part: (setup: EditedSetup) => Part): Part {
    const [before, here, there] = [base, mine, theirs].map((setup) => JSON.stringify(part(setup)));
    if (here === before) return part(theirs);
    if (there !== before && there !== here) clashes.add(key);
    return part(mine);
  }
  const rowsOf = (key: string) => (setup: EditedSetup) =>
    setup.mappings.filter((mapping) => keyOf(mapping) === key).sort(byText);
  const keys = new Set([base, mine, theirs].flatMap(({ mappings }) => mappings.map(keyOf)));
  return {
    settings: {
      yearStart: kept("yearStart", ({ settings }) => settings.yearStart),
      dueDays: kept("dueDays", ({ settings }) => settings.dueDays),
      dueFrom: kept("dueFrom", ({ settings }) => settings.dueFrom),
    },
    mappings: [...keys].flatMap((key) => kept(key, rowsOf(key))),
    bothChanged: (part: keyof Settings | ValueKey) =>
      clashes.has(typeof part === "string" ? part : keyOf(part)),
  };
}

/** Rows of a value have no order of their own. */
const byText = (one: Mapping, other: Mapping) => {
  const [first, second] = [JSON.stringify(one), JSON.stringify(other)];
  return first < second ? -1 : Number(first > second);
};
