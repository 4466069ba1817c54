import { PLACE_LINES } from "@/lib/reports/definitions";
import type { ExactReport, Report } from "@/lib/reports/schema";

// Small numbers: in a small town, a count of 1 to 4 may identify a person. Copies to share never show them. Readers
// without All Forms do not get them in filtered reports or for periods that are not whole.

const SMALLEST_SHOWN = 5;
export const SMALL = "<5";
/** Replaces a larger number that is withheld because a small one could be computed from it. */
export const WITHHELD = "*";

/** True for 1 to 4. */
export const isSmall = (count: number): boolean => count > 0 && count < SMALLEST_SHOWN;

/** A total and the lines that add up to it: each is known if all others are. */
type Sum = { total: string; parts: readonly string[] };

const keysOf = ({ sections }: ExactReport, section: string): string[] =>
  sections.find(({ key }) => key === section)?.lines.map(({ key }) => key) ?? [];

const NEW_IN_SHELTER = ["shelter_adults", "shelter_children", "shelter_age_unknown"];

/** If all clients in shelter are new, as always in the first quarter of a year, the lines of the new add up to them. */
const shelterSum = (counts: ReadonlyMap<string, number>): Sum[] => {
  const fresh = NEW_IN_SHELTER.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
  return fresh === counts.get("shelter_people") ? [{ total: "shelter_people", parts: NEW_IN_SHELTER }] : [];
};

/** The lines of places and of ages count the same new clients, so two lines add up to the others. */
const PLACES_AND_AGES: readonly Sum[] = [
  { total: "shelter_adults", parts: ["nonshelter_adults", "age_18_24", "age_25_59", "age_60_plus"] },
  { total: "shelter_children", parts: ["nonshelter_children", "age_0_12", "age_13_17"] },
  { total: "shelter_age_unknown", parts: ["nonshelter_age_unknown", "age_not_reported", "age_not_tracked"] },
];

/** Returns the sums whose lines the report has. */
const sumsOf = (report: ExactReport, counts: ReadonlyMap<string, number>): Sum[] =>
  [
    ...["individuals_new", "people_new"].flatMap((total) =>
      ["race", "gender", "sex", "age"].map((block) => ({ total, parts: keysOf(report, block) })),
    ),
    { total: "people_new", parts: PLACE_LINES },
    ...shelterSum(counts),
    { total: "individuals_served", parts: ["individuals_new", "individuals_continuing"] },
    { total: "individuals_served", parts: ["individuals_primary", "individuals_significant_other"] },
    ...PLACES_AND_AGES,
    // A client with a counted form is Served or Partially Served, and no other client is.
    { total: "individuals_primary", parts: ["vawa_served", "vawa_partially_served"] },
  ].filter(({ total, parts }) => parts.length > 0 && [total, ...parts].every((key) => counts.has(key)));

/** The numbers a reader could compute about a line. */
export type Exposure = {
  /** The part of the count that the reader cannot list. */
  unknown: number;
  /** Other numbers that follow from the count; none of them may be 1 to 4. */
  follows: readonly number[];
};

/** A report without small numbers, and for each suppressed line the text to show in place of its count. */
export type Suppressed = { report: Report; marks: ReadonlyMap<string, string> };

/**
 * Suppresses the lines whose count, or a number that follows from it, is 1 to 4. `exposureOf` returns the numbers that
 * a reader of some of the records could compute. Without it, a reader knows nothing about a count. If exactly one
 * suppressed number of a sum is unknown to its reader, it could be computed. So the smallest other unknown line is
 * withheld too, or else the total. That can leave exactly one in another sum, so this repeats until no sum has one.
 */
export function suppressSmallCounts(report: ExactReport, exposureOf?: (key: string) => Exposure): Suppressed {
  const counts = new Map(
    report.sections.flatMap(({ lines }) => lines.map(({ key, count }): [string, number] => [key, count])),
  );
  const countOf = (key: string) => counts.get(key) ?? 0;
  const unknownOf = (key: string) => exposureOf?.(key).unknown ?? countOf(key);
  const marks = new Map<string, string>();
  const hide = (key: string) => marks.set(key, isSmall(countOf(key)) ? SMALL : WITHHELD);
  for (const [key, count] of counts)
    if ([count, unknownOf(key), ...(exposureOf?.(key).follows ?? [])].some(isSmall)) hide(key);

  /** The line to withhold as well, because the sum has exactly one unknown number; undefined if none. */
  const computableLine = ({ total, parts }: Sum): string | undefined => {
    const unknown = [total, ...parts].filter((key) => unknownOf(key) > 0);
    if (unknown.filter((key) => marks.has(key)).length !== 1) return undefined;
    const others = unknown.filter((key) => !marks.has(key) && key !== total);
    const [smallest] = others.sort((a, b) => unknownOf(a) - unknownOf(b));
    return smallest ?? (unknown.includes(total) && !marks.has(total) ? total : undefined);
  };
  const sums = sumsOf(report, counts);
  const next = () => sums.map(computableLine).find((key) => key !== undefined);
  for (let key = next(); key !== undefined; key = next()) hide(key);
  return { report: withoutCounts(report, marks), marks };
}

const withoutCounts = (report: ExactReport, marks: ReadonlyMap<string, string>): Report => ({
  ...report,
  sections: report.sections.map((section) => ({
    ...section,
    lines: section.lines.map((line) =>
      marks.has(line.key) ? { ...line, count: null, suppressed: true as const } : line,
    ),
  })),
});
