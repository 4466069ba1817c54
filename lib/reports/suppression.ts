import type { Report } from "@/lib/reports/schema";

// Small numbers in a copy for sharing: in a small town, a count of 1 to 4 may identify a person.

const SMALLEST_SHOWN = 5;
export const SMALL = "<5";
/** Stands for a larger number that is withheld because a small one could be computed from it. */
export const WITHHELD = "*";

/** A total and the lines that add up to it. */
type Sum = { total: string; parts: readonly string[] };

const keysOf = ({ sections }: Report, section: string): string[] =>
  sections.find(({ key }) => key === section)?.lines.map(({ key }) => key) ?? [];

/** The sums whose lines the report has. */
const sumsOf = (report: Report, counts: ReadonlyMap<string, number>): Sum[] =>
  [
    ...["race", "gender", "age"].map((block) => ({ total: "individuals_new", parts: keysOf(report, block) })),
    { total: "individuals_served", parts: ["individuals_new", "individuals_continuing"] },
    { total: "individuals_served", parts: ["individuals_primary", "individuals_significant_other"] },
    // Who has a counted form is Served or Partially Served, and nobody else is.
    { total: "individuals_primary", parts: ["vawa_served", "vawa_partially_served"] },
  ].filter(({ parts }) => parts.every((key) => counts.has(key)));

/**
 * What a copy for sharing shows for each line (reports.md): `<5` for 1 to 4, otherwise the number. If a sum has exactly
 * one hidden number, that number could be computed from the others, so the smallest other line that is not 0 is withheld
 * too, or else the total. That can leave exactly one hidden number in another sum, so it is repeated until none has.
 */
export function suppressed(report: Report): Map<string, string> {
  const counts = new Map(
    report.sections.flatMap(({ lines }) => lines.map(({ key, count }): [string, number] => [key, count])),
  );
  const countOf = (key: string) => counts.get(key) ?? 0;
  const shown = new Map([...counts].map(([key, count]) => [key, String(count)]));
  const hidden = new Set<string>();
  const hide = (key: string) => {
    shown.set(key, countOf(key) < SMALLEST_SHOWN ? SMALL : WITHHELD);
    hidden.add(key);
  };
  for (const [key, count] of counts) if (count > 0 && count < SMALLEST_SHOWN) hide(key);

  /** What must be withheld as well because the sum has exactly one hidden number; undefined if nothing. */
  const betrayed = ({ total, parts }: Sum): string | undefined => {
    if ([total, ...parts].filter((key) => hidden.has(key)).length !== 1) return undefined;
    const others = parts
      .filter((key) => !hidden.has(key) && countOf(key) > 0)
      .sort((a, b) => countOf(a) - countOf(b));
    return [...others, total].find((key) => !hidden.has(key) && countOf(key) > 0);
  };
  const sums = sumsOf(report, counts);
  const next = () => sums.map(betrayed).find((key) => key !== undefined);
  for (let key = next(); key !== undefined; key = next()) hide(key);
  return shown;
}
