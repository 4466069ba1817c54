import type { Names } from "@/lib/fields/columns";
import type { FieldFacts } from "@/lib/fields/facts";
import { currency, date } from "@/lib/fields/format";

// Formats old and new values for people. A referenced record is shown by its current name, or as `#id` if it was removed.

/** A value as text; "" if there is none. */
export function textIn(facts: FieldFacts | undefined, value: unknown, names: Names): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  switch (facts?.kind) {
    case "day":
      return date(String(value));
    case "money":
      return currency(Number(value));
    case "choice":
      return facts.choices.find((choice) => choice.value === value)?.label ?? String(value);
    case "lookup":
    case "lookups":
      return [value]
        .flat()
        .map((id) => names.get(`${facts.list} ${id}`) ?? `#${id}`)
        .join(", ");
    default:
      return String(value);
  }
}
