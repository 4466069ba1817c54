"use client";

import { type FieldValues, type UseFormReturn, useFormContext, useWatch } from "react-hook-form";
import type { Choices } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { type FieldInForm, OwnFieldControl, useShownOwn } from "@/components/record/own-fields";
import { join, type SectionField, type SectionSpec, withOwn } from "@/components/record/section";
import { FieldSet } from "@/components/ui/field";
import { FieldGrid } from "@/components/ui/section";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/fields/plain";

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

type Group = ReturnType<typeof withOwn<FieldInForm>>[number];

type Props = {
  spec: SectionSpec;
  prefix: string;
  choices: Choices;
  /** Called after the user has changed a field of the section. */
  onChange?: (name: string) => void;
};

/** Renders the built-in fields of a section, at its path in the form, and the custom fields in `own` at their positions. */
export const SectionFields = ({ own, ...props }: Props & { own?: readonly FieldInForm[] }) =>
  own ? <FieldsWithOwn {...props} own={own} /> : <Fields {...props} own={NO_FIELDS} />;

const NO_FIELDS: readonly FieldInForm[] = [];

const FieldsWithOwn = ({ own, ...props }: Props & { own: readonly FieldInForm[] }) => (
  <Fields {...props} own={useShownOwn(own)} />
);

function Fields({ spec, own, prefix, choices, onChange }: Props & { own: readonly FieldInForm[] }) {
  const form = useFormContext();
  function onChanged(field: SectionField) {
    onChange?.(field.name);
    const entry: unknown = form.getValues(prefix);
    if (DECIDES.has(field.facts.kind) && isRecord(entry))
      applyCleared(form, prefix, spec.clear(entry, choices));
    const errorAt = spec.errorAt && join(prefix, spec.errorAt);
    if (errorAt && form.getFieldState(errorAt).invalid) void form.trigger(errorAt);
  }

  return withOwn(spec.groups, own).map((part) => (
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
  const fields = (
    <FieldGrid columns={part.columns}>
      {part.fields.map((field) =>
        field.own ? (
          <OwnFieldControl key={field.name} {...field.own} />
        ) : (
          <ShownField
            key={field.name}
            field={field}
            inRow={part.columns === "row"}
            prefix={join(prefix, part.path)}
            {...{ choices, onChanged }}
          />
        ),
      )}
    </FieldGrid>
  );
  if (!part.legend) return fields;
  // A row's fields are directly below the row, so the legend is only for assistive technology.
  const look = part.columns === "row" ? "sr-only" : "font-semibold text-base";
  return <FieldSet legend={<span className={look}>{part.legend}</span>}>{fields}</FieldSet>;
}

/** Returns the width classes of a field in a row: a number is narrow, a text takes the rest. */
function widthInRow({ kind }: FieldFacts): string {
  if (kind === "flag") return "";
  return kind === "longText" ? "min-w-48 flex-1" : "w-20";
}

function ShownField({
  field,
  inRow,
  prefix,
  choices,
  onChanged,
}: {
  field: SectionField;
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
      className={inRow ? widthInRow(field.facts) : field.wide ? "col-span-full" : undefined}
      rows={inRow ? 1 : undefined}
      onValueChange={() => onChanged(field)}
    />
  );
}
