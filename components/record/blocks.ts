import type { FieldFacts } from "@/lib/core/fields/facts";

type Named = { name: string; facts: FieldFacts };

/** A field with the fields that only its box asks for. They are below it. */
type Cell<One> = { field: One; below: One[] };

/** Consecutive checkboxes with the fields that belong to them, or consecutive other fields. */
export type Block<One> = { isChecks: boolean; cells: Cell<One>[] };

/** True if the field is asked because of this box alone, or stays under it. */
const belongsTo = ({ facts: { beneath, dependsOn } }: Named, box: Named): boolean =>
  beneath ? beneath === box.name : dependsOn?.boxes.length === 1 && dependsOn.boxes[0] === box.name;

/** Splits fields, in their order, into those of the grid of checkboxes and those of the grid of other fields. */
export function blocksOf<One extends Named>(fields: readonly One[]): Block<One>[] {
  const blocks: Block<One>[] = [];
  for (const field of fields) {
    const isChecks = field.facts.kind === "flag";
    const current = blocks.at(-1);
    const cell = current?.isChecks ? current.cells.at(-1) : undefined;
    if (cell && belongsTo(field, cell.field)) cell.below.push(field);
    else if (current?.isChecks === isChecks) current.cells.push({ field, below: [] });
    else blocks.push({ isChecks, cells: [{ field, below: [] }] });
  }
  return blocks;
}
