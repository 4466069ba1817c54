import { type Choices, screenText } from "@/components/record/choices";
import type { SectionField, SectionSpec } from "@/components/record/section";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { yesNo } from "@/lib/core/fields/format";
import { isRecord } from "@/lib/core/fields/plain";

export type PrintedRow = { label: string; text: string };
export type Printed = { legend?: string; rows: PrintedRow[] };

/** Returns a field's value for print, where an unchecked box also counts; "" if there is no value. */
export const printedText = (facts: FieldFacts, value: unknown, choices: Choices): string =>
  facts.kind === "flag" ? yesNo(value) : screenText(facts, value, choices);

/** Returns a section's values as text: Yes or No for each checkbox, without blanks and hidden fields. */
export function printed({ groups }: SectionSpec, entry: unknown, choices: Choices): Printed[] {
  if (!isRecord(entry)) return [];
  return groups.flatMap((part) => {
    if (part.shows && !part.shows(entry)) return [];
    const rows = printedFields(part.fields, part.path ? entry[part.path] : entry, choices);
    return rows.length > 0 ? [{ legend: part.legend, rows }] : [];
  });
}

function printedFields(fields: readonly SectionField[], values: unknown, choices: Choices): PrintedRow[] {
  if (!isRecord(values)) return [];
  return fields.flatMap((field) => {
    if (field.shows && !field.shows(values, choices)) return [];
    const text = printedText(field.facts, values[field.name], choices);
    return text ? [{ label: field.facts.label, text }] : [];
  });
}
