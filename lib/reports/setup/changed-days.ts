import { addDays, EARLIEST_DAY } from "@/lib/core/text/format";
import type { Mapping } from "@/lib/reports/mapping";

const FOREVER = "9999-12-31";

type Row = Omit<Mapping, "kind"> & { kind: string };
/** Days on which some value of a kind has other lines than before. `kind` is null if it is about the report itself. */
export type ChangedDays = { kind: string | null; from: string; to: string };

/** The change of a setting that counts on all days of a report, such as the start of its year. */
export const ALL_DAYS: ChangedDays = { kind: null, from: EARLIEST_DAY, to: FOREVER };

/**
 * Returns the days on which one of two sets of mappings has a line that the other has not. A row that only gets a last day
 * changes only the days after it.
 */
export function changedDays(former: readonly Row[], present: readonly Row[]): ChangedDays[] {
  const keyOf = ({ kind, source, formTypeId, line }: Row) => JSON.stringify([kind, source, formTypeId, line]);
  type Counts = { former: number; present: number };
  /** By day: how many more rows of each side are valid from that day on than before. */
  const values = new Map<string, { kind: string; days: Map<string, Counts> }>();
  const add = (row: Row, side: keyof Counts) => {
    const { days } = values.get(keyOf(row)) ?? { days: new Map<string, Counts>() };
    values.set(keyOf(row), { kind: row.kind, days });
    const step = (day: string, by: number) => {
      const counts = days.get(day) ?? { former: 0, present: 0 };
      days.set(day, { ...counts, [side]: counts[side] + by });
    };
    step(row.validFrom, 1);
    if (row.validThrough !== null && row.validThrough !== FOREVER) step(addDays(row.validThrough, 1), -1);
  };
  for (const row of former) add(row, "former");
  for (const row of present) add(row, "present");
  return [...values.values()].flatMap(({ kind, days }) => {
    const valid: Counts = { former: 0, present: 0 };
    const steps = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
    return steps.flatMap(([from, counts], at) => {
      valid.former += counts.former;
      valid.present += counts.present;
      if (valid.former > 0 === valid.present > 0) return [];
      const next = steps[at + 1]?.[0];
      return [{ kind, from, to: next ? addDays(next, -1) : FOREVER }];
    });
  });
}
