"use client";

import { useWatch } from "react-hook-form";
import { blocksOf } from "@/components/record/blocks";
import type { Choices } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { RowInLine, RowsField } from "@/components/record/rows-field";
import { BELOW_BOX, CheckGrid, FieldGrid } from "@/components/ui/section";
import { type Field, type FieldFacts, type FieldKind, isAsked } from "@/lib/core/fields/facts";
import type { RecordValues } from "@/lib/declared-records/api-schema";

/** The widths of controls in one line. */
const IN_LINE: Partial<Record<FieldKind, string>> = {
  // A title needs more room than a choice.
  text: "max-w-96 flex-1 basis-72",
  day: "w-40",
  minutes: "w-24",
  count: "w-24",
  whole: "w-24",
  money: "w-32",
};

const WIDE: ReadonlySet<FieldKind> = new Set(["longText", "lookups", "choices"]);

/** The letters of a label that the width of a number holds. */
const NUMBER_LABEL_LETTERS = 13;

function widthInLine({ kind, label }: Field["facts"]): string | undefined {
  if (WIDE.has(kind)) return "basis-full";
  if (kind === "count" && label.length > NUMBER_LABEL_LETTERS) return "w-40";
  return kind === "flag"
    ? "max-sm:self-end sm:pt-6"
    : (IN_LINE[kind] ?? "max-w-96 flex-1 basis-40 sm:basis-28");
}

/** True for a day that a new record begins with. It has no star, because nobody has to enter it. */
export const beginsFilled = (facts: FieldFacts): boolean =>
  facts.kind === "day" && facts.initial !== undefined;

/** Fields of a record, each while its boxes ask for it. */
export function RecordFields({
  fields,
  choices,
  prefilled = {},
  emptyWords = {},
  inLine = false,
}: {
  fields: readonly Field[];
  choices: Choices;
  /** Fields that are never empty, besides those that begin filled. They have neither a star nor an empty option. */
  prefilled?: RecordValues;
  emptyWords?: Readonly<Record<string, string>>;
  /** The fields are in a line that wraps, instead of a grid. */
  inLine?: boolean;
}) {
  const shown = ({ name, facts, schema }: Field, className: string | undefined) => {
    const isPrefilled = name in prefilled || beginsFilled(facts);
    if (inLine && facts.kind === "entries" && isPrefilled)
      return <RowInLine key={name} field={{ name, facts, schema }} choices={choices} />;
    return (
      <AskedField
        key={name}
        field={{ name, schema, facts: isPrefilled ? { ...facts, required: false } : facts }}
        noEmpty={isPrefilled}
        placeholder={emptyWords[name]}
        {...{ choices, className }}
      />
    );
  };
  if (inLine) return fields.map((field) => shown(field, widthInLine(field.facts)));
  return blocksOf(fields).map(({ isChecks, cells }) =>
    isChecks ? (
      <CheckGrid key={cells[0]?.field.name}>
        {cells.map(({ field, below }) => (
          <div key={field.name} className="empty:hidden">
            {shown(field, undefined)}
            {below.map((one) => shown(one, BELOW_BOX))}
          </div>
        ))}
      </CheckGrid>
    ) : (
      <FieldGrid key={cells[0]?.field.name}>
        {cells.map(({ field }) => shown(field, WIDE.has(field.facts.kind) ? "col-span-full" : undefined))}
      </FieldGrid>
    ),
  );
}

function AskedField({
  field,
  ...control
}: {
  field: Field;
  choices: Choices;
  noEmpty: boolean;
  placeholder: string | undefined;
  className: string | undefined;
}) {
  const { name, facts } = field;
  const asked = useWatch({ compute: (values: RecordValues) => isAsked(facts, values) });
  if (!asked) return null;
  if (facts.kind === "entries") return <RowsField field={field} choices={control.choices} />;
  return <FieldControl {...{ name, facts, ...control }} />;
}
