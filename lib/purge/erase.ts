import type { z } from "zod";
import { type Field, fieldsOf, recordFacts } from "@/lib/fields/facts";
import { columnName, ownerColumn } from "@/lib/fields/tables";

// Which columns of a record identify a person follows from the facts of its fields: every text, and what is marked as
// sensitive besides. Flags, choices, numbers, lists and days of service stay.

/** What stands in place of a text. A text that was blank stays so: reports count whether something was said. */
const INSTEAD = "Removed";

/** The SQL of what a purge makes of a field's column; null for one that stays. */
function erased({ name, facts }: Field): string | null {
  const column = columnName(name);
  switch (facts.kind) {
    case "text":
    case "longText":
    case "email":
    case "secret":
      return `CASE WHEN btrim(${column}) = '' THEN '' ELSE '${INSTEAD}' END`;
    case "day":
      return facts.sensitive ? "NULL" : null;
    case "choice":
      return facts.sensitive && facts.blank !== null ? `'${facts.blank}'` : null;
    default:
      return null;
  }
}

/**
 * The statements that erase what identifies a person from the rows of a record that meet `where`, and from everything
 * nested in it; the inner ones first. `more` are further columns of the record, by name, as SQL.
 */
export function erasing(
  schema: z.core.$ZodType,
  where: string,
  more: Readonly<Record<string, string>> = {},
): string[] {
  const { table } = recordFacts(schema);
  const fields = fieldsOf(schema);
  const inner = fields
    .filter(({ facts }) => facts.kind === "entry" || facts.kind === "entries")
    .flatMap(({ schema: nested }) =>
      erasing(nested, `${ownerColumn(table)} IN (SELECT id FROM ${table} WHERE ${where})`),
    );
  const columns = fields.flatMap((field): [string, string][] => {
    const value = erased(field);
    return value === null ? [] : [[columnName(field.name), value]];
  });
  const set = Object.entries({ ...Object.fromEntries(columns), ...more });
  if (set.length === 0) return inner;
  return [
    ...inner,
    `UPDATE ${table} SET ${set.map(([column, value]) => `${column} = ${value}`).join(", ")} WHERE ${where}`,
  ];
}
