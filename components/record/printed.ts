import { type Choices, textOf } from "@/components/record/choices";
import type { SectionField, SectionSpec } from "@/components/record/section";
import { isRecord } from "@/lib/fields/wire";

export type PrintedRow = { label: string; text: string };
export type Printed = { legend?: string; rows: PrintedRow[] };

/** What was entered in a section, as text, without unticked boxes, blanks and hidden fields. */
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
    const text = textOf(field.facts, values[field.name], choices);
    return text ? [{ label: field.facts.label, text }] : [];
  });
}
