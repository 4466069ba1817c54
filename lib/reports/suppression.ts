import { SERVICE_KINDS } from "@/lib/outcomes/words";
import { PLACE_LINES, surveyLine } from "@/lib/reports/definitions";
import type { ExactReport, Report } from "@/lib/reports/schema";

// Small numbers: in a small town, a count of 1 to 4 may identify a person. Copies for sharing never show them, and withhold
// what they could be computed from (docs/reference/reports.md, "Copies for sharing").

/** The smallest count of a copy for sharing, besides 0. */
export const SMALLEST_SHOWN = 5;
export const SMALL = "<5";
/** Replaces a number of 5 or more that is withheld because a small one could be computed from it. */
export const WITHHELD = "*";
/** Replaces all numbers of a block whose total is small, or whose numbers could be computed from its total. */
export const TOO_FEW = "too few to show";

/** True for 1 to 4. */
const isSmall = (count: number): boolean => count > 0 && count < SMALLEST_SHOWN;

/** Lines whose counts add up to those of other lines; a block if that is one line, their total. */
type Sum = { totals: readonly string[]; parts: readonly string[] };

const linesIn = ({ totals, parts }: Sum): string[] => [...totals, ...parts];

const keysOf = ({ sections }: ExactReport, section: string): string[] =>
  sections.find(({ key }) => key === section)?.lines.map(({ key }) => key) ?? [];

const NEW_IN_SHELTER = ["shelter_adults", "shelter_children", "shelter_age_unknown"];

/** If all clients in shelter are new, as always in a whole year, the lines of the new add up to them. */
const shelterSum = (counts: ReadonlyMap<string, number>): Sum[] => {
  const fresh = NEW_IN_SHELTER.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
  return fresh === counts.get("shelter_people")
    ? [{ totals: ["shelter_people"], parts: NEW_IN_SHELTER }]
    : [];
};

/** The lines of places and of ages count the same new clients. */
const PLACES_AND_AGES: readonly Sum[] = [
  { totals: ["shelter_adults", "nonshelter_adults"], parts: ["age_18_24", "age_25_59", "age_60_plus"] },
  { totals: ["shelter_children", "nonshelter_children"], parts: ["age_0_12", "age_13_17"] },
  {
    totals: ["shelter_age_unknown", "nonshelter_age_unknown"],
    parts: ["age_not_reported", "age_not_tracked"],
  },
];

/** Returns the sums whose lines the report has. */
const sumsOf = (report: ExactReport, counts: ReadonlyMap<string, number>): Sum[] =>
  [
    { totals: ["individuals_served"], parts: ["individuals_new", "individuals_continuing"] },
    { totals: ["individuals_served"], parts: ["individuals_primary", "individuals_significant_other"] },
    // A client with a counted form is Served or Partially Served, and no other client is.
    { totals: ["individuals_primary"], parts: ["vawa_served", "vawa_partially_served"] },
    { totals: ["people_new"], parts: PLACE_LINES },
    ...["individuals_new", "people_new"].flatMap((total) =>
      ["race", "gender", "sex", "age"].map((block) => ({ totals: [total], parts: keysOf(report, block) })),
    ),
    ...shelterSum(counts),
    ...PLACES_AND_AGES,
  ].filter((sum) => sum.parts.length > 0 && linesIn(sum).every((key) => counts.has(key)));

/** A report without small numbers, and for each suppressed line the text to show in place of its count. */
export type Suppressed = { report: Report; marks: ReadonlyMap<string, string> };

/** Returns a report for sharing: no count of 1 to 4, and none that could be computed from the others. */
export function suppressSmallCounts(report: ExactReport): Suppressed {
  const counts = new Map(
    report.sections.flatMap(({ lines }) => lines.map(({ key, count }): [string, number] => [key, count])),
  );
  const cards = cardLines(counts);
  const others = new Map([...counts].filter(([key]) => !cards.has(key)));
  const marks = marksOf(others, sumsOf(report, others));
  for (const [key, isFew] of cards) if (isFew) marks.set(key, SMALL);
  return { report: withoutCounts(report, marks), marks };
}

/**
 * Returns the lines of outcome cards, each with true if its kind of service has 1 to 4 cards. The cards name no one, so
 * nothing else of them is withheld.
 */
const cardLines = (counts: ReadonlyMap<string, number>): Map<string, boolean> =>
  new Map(
    SERVICE_KINDS.flatMap(({ value }) =>
      [...counts.keys()]
        .filter((key) => key.startsWith(`outcome_${value}_`))
        .map((key): [string, boolean] => [key, isSmall(counts.get(surveyLine(value, "completed")) ?? 0)]),
    ),
  );

/** Returns the marks of the lines to withhold, by the steps that docs/reference/reports.md names. */
function marksOf(counts: ReadonlyMap<string, number>, sums: readonly Sum[]): Map<string, string> {
  const countOf = (key: string) => counts.get(key) ?? 0;
  const marks = new Map([...counts].filter(([, count]) => isSmall(count)).map(([key]) => [key, SMALL]));
  const first = new Map(marks);

  /** Returns the smallest of the lines that is shown and not 0; undefined if there is none. */
  const smallestShown = (keys: readonly string[], known: ReadonlyMap<string, string>) =>
    keys
      .filter((key) => !known.has(key) && countOf(key) > 0)
      .toSorted((a, b) => countOf(a) - countOf(b))
      .at(0);
  /** Returns the line to withhold as well: the smallest part, or else the smallest total. */
  const nextOf = (sum: Sum, known: ReadonlyMap<string, string> = marks) =>
    smallestShown(sum.totals.length === 1 ? sum.parts : linesIn(sum), known) ??
    smallestShown(sum.totals, known);

  const sumsWith = (keys: readonly string[]) =>
    sums.filter((sum) => linesIn(sum).some((key) => keys.includes(key)));

  /** Each withholds more and returns true, or returns false. */
  const passes = [
    () => hideBlocks(marks, counts, sums),
    // One withheld number of a sum is the difference of the others.
    () => {
      const lone = sums.find((sum) => linesIn(sum).filter((key) => marks.has(key)).length === 1);
      const next = lone && nextOf(lone);
      if (next) marks.set(next, WITHHELD);
      return next !== undefined;
    },
    () =>
      [...marks.keys()]
        // A 0 reveals no one.
        .filter((key) => countOf(key) > 0 && !canDiffer(key, counts, marks, sums))
        .some((solved) => {
          let around = sumsWith([solved]);
          let next: string | undefined;
          // If its own sums show nothing more, those of the lines withheld with it do.
          for (let before = 0; next === undefined && before < around.length; ) {
            next = around.map((sum) => nextOf(sum)).find((key) => key !== undefined);
            before = around.length;
            if (next === undefined)
              around = sumsWith(around.flatMap(linesIn).filter((key) => marks.has(key)));
          }
          if (next) marks.set(next, WITHHELD);
          const hidden = next
            ? []
            : around.flatMap(({ parts }) => parts).filter((key) => marks.get(key) !== TOO_FEW);
          for (const key of hidden) marks.set(key, TOO_FEW);
          return next !== undefined || hidden.length > 0;
        }),
  ];
  // Each block by itself first, so that it does not depend on the order of the blocks.
  for (const sum of sums) {
    const next = linesIn(sum).filter((key) => first.has(key)).length === 1 && nextOf(sum, first);
    if (next) marks.set(next, WITHHELD);
  }
  while (passes.some((pass) => pass()));
  return marks;
}

/**
 * Withholds all parts of blocks whose total is small or not shown, and of those whose withheld parts have only one solution:
 * the sum of n of 1 to 4 and m of 5 or more is the smallest or, if m is 0, the largest possible. True if there was one.
 */
function hideBlocks(
  marks: Map<string, string>,
  counts: ReadonlyMap<string, number>,
  sums: readonly Sum[],
): boolean {
  let hasHidden = false;
  for (const { totals, parts } of sums) {
    const [total = ""] = totals;
    if (totals.length > 1 || parts.every((key) => marks.get(key) === TOO_FEW)) continue;
    const withheld = parts.filter((key) => marks.has(key));
    const amount = withheld.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
    const small = withheld.filter((key) => marks.get(key) === SMALL).length;
    const large = withheld.length - small;
    const isSolved =
      !marks.has(total) &&
      withheld.length > 1 &&
      withheld.every((key) => marks.get(key) !== TOO_FEW) &&
      (amount === small + SMALLEST_SHOWN * large || (large === 0 && amount === (SMALLEST_SHOWN - 1) * small));
    const mark = marks.get(total);
    if (!isSolved && mark !== TOO_FEW && mark !== SMALL) continue;
    for (const key of parts) marks.set(key, TOO_FEW);
    hasHidden = true;
  }
  return hasHidden;
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  [SMALL]: [1, SMALLEST_SHOWN - 1],
  [WITHHELD]: [SMALLEST_SHOWN, Number.POSITIVE_INFINITY],
  [TOO_FEW]: [0, Number.POSITIVE_INFINITY],
};

/**
 * True if a reader of the copy cannot determine the line's count: other counts fit all sums and marks, too. These sums form a
 * network, so if there is another solution, there is one in which each count differs by at most one.
 */
function canDiffer(
  line: string,
  counts: ReadonlyMap<string, number>,
  marks: ReadonlyMap<string, string>,
  sums: readonly Sum[],
): boolean {
  const mayBe = (key: string, change: number) => {
    const [least = 0, most = 0] = RANGES[marks.get(key) ?? ""] ?? [];
    const count = (counts.get(key) ?? 0) + change;
    return marks.has(key) && count >= least && count <= most;
  };
  /** Tries to balance all sums by changing more lines. */
  const balances = (changes: ReadonlyMap<string, number>): boolean => {
    const changeOf = (keys: readonly string[]) => keys.reduce((sum, key) => sum + (changes.get(key) ?? 0), 0);
    const sum = sums.find(({ totals, parts }) => changeOf(totals) !== changeOf(parts));
    if (!sum) return true;
    const missing = Math.sign(changeOf(sum.totals) - changeOf(sum.parts));
    const candidates = [
      ...sum.parts.map((key) => ({ key, change: missing })),
      ...sum.totals.map((key) => ({ key, change: -missing })),
    ].filter(({ key, change }) => !changes.has(key) && mayBe(key, change));
    // Lines of the same sums are interchangeable.
    const kinds = new Map(candidates.map((one) => [`${placesOf(one.key, sums)} ${one.change}`, one]));
    return [...kinds.values()].some(({ key, change }) => balances(new Map([...changes, [key, change]])));
  };
  return [1, -1].some((change) => mayBe(line, change) && balances(new Map([[line, change]])));
}

/** Returns the places of a line in the sums. */
const placesOf = (key: string, sums: readonly Sum[]) =>
  sums.map(({ totals, parts }) => (totals.includes(key) ? "+" : parts.includes(key) ? "-" : "0")).join("");

const withoutCounts = (report: ExactReport, marks: ReadonlyMap<string, string>): Report => ({
  ...report,
  sections: report.sections.map((section) => ({
    ...section,
    lines: section.lines.map((line) =>
      marks.has(line.key) ? { ...line, count: null, suppressed: true as const } : line,
    ),
  })),
});
