import { type Named, namedOptions } from "@/components/record/named-options";
import { type FieldFacts, fieldsOf, type ListName, rowSchemas } from "@/lib/core/fields/facts";
import { columnName } from "@/lib/core/fields/tables";
import { isRecord } from "@/lib/core/objects";
import { date, markedName } from "@/lib/core/text/format";
import type { FormLists } from "@/lib/lookups/schema";

/** The records that fields can refer to, by list, in display order. */
export type Choices = Partial<Record<ListName, readonly Named[]>>;

/** Returns the options of a field with choices. */
export function optionsOf(facts: FieldFacts, choices: Choices): { value: string | number; label: string }[] {
  if (facts.kind === "choice" || facts.kind === "choices") return [...facts.choices];
  if (facts.kind !== "lookup" && facts.kind !== "lookups") return [];
  return namedOptions(choices[facts.list] ?? []);
}

/** True if a select starts with an empty option, because "nothing chosen" is a valid state. */
export function offersNothing(facts: FieldFacts): boolean {
  if (facts.kind !== "choice") return true;
  if (facts.blank === null) return facts.initial === undefined;
  return facts.choices.every(({ value }) => value !== facts.blank);
}

/** Returns a field's value as text; "" if there is none. */
export function screenText(facts: FieldFacts, value: unknown, choices: Choices): string {
  switch (facts.kind) {
    case "flag":
      return value ? "Yes" : "";
    case "minutes":
    case "count":
      return value ? String(value) : "";
    case "day":
      return (typeof value === "string" && date(value)) || String(value ?? "");
    case "choice":
    case "choices": {
      const chosen = new Set([value].flat());
      const labels = facts.choices.filter((choice) => chosen.has(choice.value)).map(({ label }) => label);
      return labels.join(", ");
    }
    case "lookup":
    case "lookups": {
      const chosen = new Set([value].flat());
      const named = choices[facts.list]?.filter(({ id }) => chosen.has(id)) ?? [];
      return named.map(({ name, active }) => markedName(name, active)).join(", ");
    }
    case "entries": {
      const schema = rowSchemas.get(facts.table);
      const fields = schema ? fieldsOf(schema).filter(({ facts }) => facts.entered) : [];
      const rows = Array.isArray(value) ? value.filter(isRecord) : [];
      const words = rows.map((row) =>
        fields.map(({ name, facts }) => screenText(facts, row[name], choices) || "0").join(" "),
      );
      return words.join(", ");
    }
    default:
      return String(value ?? "");
  }
}

/** Returns the first line of a Markdown description without markup. */
export function firstLine(markdown: string): string {
  const [line = ""] = markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`#>]/g, "")
    .trim()
    .split("\n");
  return line;
}

/** Returns the same, short enough for an option. */
export function shortDescription(markdown: string): string {
  const line = firstLine(markdown);
  return line.length > 60 ? `${line.slice(0, 59).trimEnd()}…` : line;
}

/** Returns the choices for the fields of clients and forms. A response names each list like its table, in camelCase. */
export const choicesOf = ({ referralSources, ...named }: FormLists): Choices => ({
  ...Object.fromEntries(Object.entries(named).map(([name, items]) => [columnName(name), items])),
  referral_sources: referralSources.map(({ id, code, description }) => ({
    id,
    name: [code, firstLine(description)].filter(Boolean).join(" – "),
    short: [code, shortDescription(description)].filter(Boolean).join(" – "),
  })),
});
