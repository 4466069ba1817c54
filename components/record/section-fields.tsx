"use client";

import { type FieldValues, type UseFormReturn, useFormContext, useWatch } from "react-hook-form";
import { blocksOf } from "@/components/record/blocks";
import type { Choices } from "@/components/record/choices";
import { CustomFieldControl, type FieldInForm, useShownCustom } from "@/components/record/custom-fields";
import { FieldControl } from "@/components/record/field-control";
import { join, type SectionField, type SectionSpec, withCustom } from "@/components/record/section";
import { FieldSet } from "@/components/ui/field";
import { BELOW_BOX, CheckGrid, FieldGrid } from "@/components/ui/section";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/objects";

/** Clearing rules depend only on boxes and choices, so they need not run on every keystroke. */
const DECIDES = new Set<FieldFacts["kind"]>(["flag", "choice", "lookup"]);

/** Writes the changes of a clearing rule into the form, leaf by leaf, and clears those errors. */
function applyCleared(form: UseFormReturn<FieldValues>, prefix: string, after: object): void {
  const before: unknown = form.getValues(prefix);
  for (const [key, value] of Object.entries(after)) {
    const name = join(prefix, key);
    const current = isRecord(before) ? before[key] : undefined;
    if (isRecord(value)) applyCleared(form, name, value);
    else if (!Object.is(value, current)) {
      form.setValue(name, value);
      form.clearErrors(name);
    }
  }
}

type Group = ReturnType<typeof withCustom<FieldInForm>>[number];

type Props = {
  spec: SectionSpec;
  prefix: string;
  choices: Choices;
  /** Called after the user has changed a field of the section. */
  onChange?: (name: string) => void;
};

/** Renders the built-in fields of a section, at its path in the form, and the custom fields in `custom` at their positions. */
export const SectionFields = ({ custom, ...props }: Props & { custom?: readonly FieldInForm[] }) =>
  custom ? <FieldsWithCustom {...props} custom={custom} /> : <Fields {...props} custom={NO_FIELDS} />;

const NO_FIELDS: readonly FieldInForm[] = [];

const FieldsWithCustom = ({ custom, ...props }: Props & { custom: readonly FieldInForm[] }) => (
  <Fields {...props} custom={useShownCustom(custom)} />
);

function Fields({ spec, custom, prefix, choices, onChange }: Props & { custom: readonly FieldInForm[] }) {
  const form = useFormContext();
  function onChanged(field: SectionField) {
    onChange?.(field.name);
    const entry: unknown = form.getValues(prefix);
    if (DECIDES.has(field.facts.kind) && isRecord(entry))
      applyCleared(form, prefix, spec.clear(entry, choices));
    const errorAt = spec.errorAt && join(prefix, spec.errorAt);
    if (errorAt && form.getFieldState(errorAt).invalid) void form.trigger(errorAt);
  }

  return withCustom(spec.groups, custom).map((part) => (
    <GroupFields
      key={join(part.path, part.fields[0]?.name ?? "")}
      {...{ part, prefix, choices, onChanged }}
    />
  ));
}

function GroupFields({
  part,
  prefix,
  choices,
  onChanged,
}: {
  part: Group;
  prefix: string;
  choices: Choices;
  onChanged: (field: SectionField) => void;
}) {
  const visible = useWatch({
    name: prefix,
    compute: (section: unknown) => !part.shows || (isRecord(section) && part.shows(section)),
  });
  if (!visible) return null;
  const inRow = part.columns === "row";
  const shown = (field: Group["fields"][number], className?: string) =>
    field.custom ? (
      <CustomFieldControl key={field.name} {...field.custom} />
    ) : (
      <ShownField
        key={field.name}
        field={field}
        className={inRow ? widthInRow(field.facts) : className}
        inRow={inRow}
        prefix={join(prefix, part.path)}
        {...{ choices, onChanged }}
      />
    );
  if (inRow)
    // The fields are directly below the row, so the legend is only for assistive technology.
    return (
      <FieldSet legend={<span className="sr-only">{part.legend}</span>}>
        <FieldGrid columns="row">{part.fields.map((field) => shown(field))}</FieldGrid>
      </FieldSet>
    );
  const fields = blocksOf(part.fields).map(({ isChecks, cells }) =>
    isChecks ? (
      <CheckGrid key={cells[0]?.field.name}>
        {cells.map(({ field, below }) => (
          <div key={field.name} className="empty:hidden">
            {shown(field)}
            {below.map((one) => shown(one, BELOW_BOX))}
          </div>
        ))}
      </CheckGrid>
    ) : (
      <FieldGrid key={cells[0]?.field.name}>
        {cells.map(({ field }) => shown(field, field.wide ? "col-span-full" : undefined))}
      </FieldGrid>
    ),
  );
  if (!part.legend) return fields;
  return (
    <FieldSet legend={<span className="font-semibold text-base">{part.legend}</span>}>
      <div className="stack">{fields}</div>
    </FieldSet>
  );
}

/** Returns the width classes of a field in a row: a number is narrow, a text takes the rest. */
function widthInRow({ kind }: FieldFacts): string {
  if (kind === "flag") return "";
  return kind === "longText" ? "min-w-48 flex-1" : "w-20";
}

function ShownField({
  field,
  className,
  inRow,
  prefix,
  choices,
  onChanged,
}: {
  field: SectionField;
  className: string | undefined;
  inRow: boolean;
  prefix: string;
  choices: Choices;
  onChanged: (field: SectionField) => void;
}) {
  const visible = useWatch({
    name: prefix,
    compute: (entry: unknown) => !field.shows || (isRecord(entry) && field.shows(entry, choices)),
  });
  if (!visible) return null;
  return (
    <FieldControl
      facts={field.facts}
      name={join(prefix, field.name)}
      choices={choices}
      className={className}
      rows={inRow ? 1 : undefined}
      onValueChange={() => onChanged(field)}
    />
  );
}
