import { plainHeading } from "@/lib/core/fields/columns";
import { type Column, matchesProblem, takesSeveral } from "@/lib/transfer/imports/columns";
import { valueKey } from "@/lib/transfer/imports/readings";
import type { ColumnDecisions, ColumnSurvey, Mapping } from "@/lib/transfer/imports/schema";

/** The fields and decisions that an earlier import stored. */
type Earlier = { mapping?: Mapping; matched?: readonly { heading: string; key: string }[] };

type Suggested = {
  matches: string[];
  mapping: Mapping;
  headings: readonly string[];
  columns: readonly Column[];
  survey: readonly ColumnSurvey[];
};

/**
 * Returns the fields and decisions of earlier imports, the latest first, for columns with the same heading, and the
 * suggested ones for the others. Only readings of values that the file has are returned.
 */
export function recalled(
  earlier: readonly Earlier[],
  { matches, mapping, headings, columns, survey }: Suggested,
): { matches: string[]; mapping: Mapping } {
  const byHeading = new Map<string, { key: string; decisions: ColumnDecisions | undefined }>();
  for (const { mapping, matched = [] } of earlier)
    for (const { heading, key } of matched) {
      const plain = plainHeading(heading);
      if (plain && !byHeading.has(plain) && columns.some((column) => column.key === key))
        byHeading.set(plain, { key, decisions: mapping?.columns.find((one) => one.key === key) });
    }
  const known = headings.map((heading) => byHeading.get(plainHeading(heading)));
  const taken = new Set(known.map((one) => one?.key));
  const isSeveral = (key: string) => columns.some((column) => column.key === key && takesSeveral(column));
  const seen = new Set<string>();
  const remembered = matches.map((key, at) => {
    const chosen = known[at]?.key ?? (taken.has(key) && !isSeveral(key) ? "" : key);
    if (chosen && seen.has(chosen) && !isSeveral(chosen)) return "";
    seen.add(chosen);
    return chosen;
  });
  // An earlier file may have had the whole name, and this one its parts.
  if (matchesProblem(remembered, headings, columns)) return { matches, mapping };
  const decided = remembered.flatMap((key, at): ColumnDecisions[] => {
    const decisions = known[at]?.decisions;
    if (!decisions) return mapping.columns.filter((one) => one.key === key);
    const listed = new Set((survey[at]?.values ?? []).map(({ text }) => valueKey(text)));
    const values = (decisions.values ?? []).filter(({ text }) => listed.has(valueKey(text)));
    const { blankRefused: _, ...rest } = decisions;
    return [{ ...rest, ...(decisions.values && { values }) }];
  });
  return { matches: remembered, mapping: { ...mapping, columns: decided } };
}
