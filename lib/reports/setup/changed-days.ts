import { addDays } from "@/lib/core/fields/format";
import type { Mapping } from "@/lib/reports/mapping";

const FOREVER = "9999-12-31";

type Row = Omit<Mapping, "kind"> & { kind: string };
/** Days on which some value of a kind has other lines than before. */
export type ChangedDays = { kind: string; from: string; to: string };

/**
 * Returns the days on which one of two sets of mappings has a line that the other has not. A row that only gets a last day
 * changes only the days after it.
 */
export function changedDays(former: readonly Row[], present: readonly Row[]): ChangedDays[] {
  const keyOf = ({ kind, source, formTypeId, line }: Row) => JSON.stringify([kind, source, formTypeId, line]);
  const rows = new Map<string, { kind: string; former: Row[]; present: Row[] }>();
  const add = (row: Row, side: "former" | "present") => {
    const entry = rows.get(keyOf(row)) ?? { kind: row.kind, former: [], present: [] };
    entry[side].push(row);
    rows.set(keyOf(row), entry);
  };
  for (const row of former) add(row, "former");
  for (const row of present) add(row, "present");
  return [...rows.values()].flatMap(({ kind, ...sides }) => {
    const all = [...sides.former, ...sides.present];
    const begins = new Set(
      all.flatMap(({ validFrom, validThrough }) =>
        validThrough === null || validThrough === FOREVER
          ? [validFrom]
          : [validFrom, addDays(validThrough, 1)],
      ),
    );
    const days = [...begins].sort();
    const isValid = (list: readonly Row[], day: string) =>
      list.some(({ validFrom, validThrough }) => validFrom <= day && day <= (validThrough ?? FOREVER));
    return days.flatMap((from, at) => {
      if (isValid(sides.former, from) === isValid(sides.present, from)) return [];
      const next = days[at + 1];
      return [{ kind, from, to: next ? addDays(next, -1) : FOREVER }];
    });
  });
}
