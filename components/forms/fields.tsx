"use client";

import { type FieldValues, type UseFormReturn, useFormContext, useWatch } from "react-hook-form";
import type { Option } from "@/components/ui/controls";
import {
  CheckboxField,
  CheckboxGroupField,
  DateField,
  FieldGrid,
  FieldSet,
  NumberField,
  SelectField,
  TextAreaField,
  TextField,
} from "@/components/ui/field";
import { date, type MaskName } from "@/lib/fields/format";
import { isRecord } from "@/lib/fields/wire";
import type { FormLists } from "@/lib/lookups/schema";

/**
 * A section's fields said once: the screen renders them as controls, the print as text. `Entry` is the object
 * that the fields stand in.
 */
export type FieldSpec<Entry = never> = {
  name: keyof Entry & string;
  label: string;
  required?: boolean;
  hint?: string;
  /** Takes a row of its own. */
  wide?: boolean;
  /** Whether the field is asked; without it, always. */
  shows?: (entry: Entry, lists: FormLists) => boolean;
  /** The section's clearing rules run after this field has changed (spec §4). */
  clears?: boolean;
} & (
  | { kind: "text"; mask?: MaskName }
  | { kind: "area" | "check" | "date" | "count" }
  | { kind: "select"; options: (lists: FormLists) => Option[]; noEmpty?: boolean }
  | { kind: "checks"; options: (lists: FormLists) => Option[] }
);

export type Group<Parent = never, Entry = never> = {
  legend?: string;
  /** Where the fields stand below the section's own path; "" is the section itself. */
  path: string;
  /** Whether the group is asked, by the section's values. */
  shows?: (parent: Parent) => boolean;
  columns?: 2 | 3 | 4;
  fields: FieldSpec<Entry>[];
};

/** Types the fields of a group by the entry that they stand in, then forgets the type so that groups can mix. */
export const group = <Parent, Entry = Parent>(spec: Group<Parent, Entry>): Group => spec as unknown as Group;

export type SectionSpec = {
  groups: Group[];
  /** The clearing rules of the section's module. */
  clear?: (entry: never, lists: FormLists) => object;
  /** The field at which a complaint about the section as a whole stands, so that any field can settle it. */
  complaintAt?: string;
};

export const join = (...parts: string[]): string => parts.filter(Boolean).join(".");

/** The options of a lookup list. */
export const named = (items: readonly { id: number; name: string }[]): Option[] =>
  items.map(({ id, name }) => ({ value: id, label: name }));

/** The options of a fixed set of words. */
export const words = (items: readonly string[]): Option[] =>
  items.map((item) => ({ value: item, label: item }));

/** Puts what a clearing rule changed into the form, leaf by leaf, and takes back complaints about it. */
export function applyCleared(form: UseFormReturn<FieldValues>, prefix: string, after: object): void {
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

/** All fields of a section at their place in the form. */
export function SectionFields({
  spec,
  prefix,
  lists,
}: {
  spec: SectionSpec;
  prefix: string;
  lists: FormLists;
}) {
  const form = useFormContext();
  const clear = spec.clear as ((entry: unknown, lists: FormLists) => object) | undefined;
  function onChanged(field: FieldSpec) {
    if (field.clears && clear) applyCleared(form, prefix, clear(form.getValues(prefix), lists));
    const complaintAt = spec.complaintAt && join(prefix, spec.complaintAt);
    if (complaintAt && form.getFieldState(complaintAt).invalid) void form.trigger(complaintAt);
  }

  return spec.groups.map((part) => (
    <GroupFields key={join(part.path, part.fields[0]?.name ?? "")} {...{ part, prefix, lists, onChanged }} />
  ));
}

function GroupFields({
  part,
  prefix,
  lists,
  onChanged,
}: {
  part: Group;
  prefix: string;
  lists: FormLists;
  onChanged: (field: FieldSpec) => void;
}) {
  const shows = part.shows as ((parent: unknown) => boolean) | undefined;
  const visible = useWatch({ name: prefix, compute: (parent: unknown) => shows?.(parent) ?? true });
  if (!visible) return null;
  const fields = (
    <FieldGrid columns={part.columns}>
      {part.fields.map((field) => (
        <ShownField
          key={field.name}
          field={field}
          prefix={join(prefix, part.path)}
          {...{ lists, onChanged }}
        />
      ))}
    </FieldGrid>
  );
  if (!part.legend) return fields;
  return (
    <FieldSet legend={<span className="font-semibold text-base">{part.legend}</span>}>{fields}</FieldSet>
  );
}

type FieldProps = {
  field: FieldSpec;
  prefix: string;
  lists: FormLists;
  onChanged: (field: FieldSpec) => void;
};

function ShownField(props: FieldProps) {
  const { field, prefix, lists, onChanged } = props;
  const shows = field.shows as ((entry: unknown, lists: FormLists) => boolean) | undefined;
  const visible = useWatch({ name: prefix, compute: (entry: unknown) => shows?.(entry, lists) ?? true });
  if (!visible) return null;
  return (
    <SpecField
      field={field}
      name={join(prefix, field.name)}
      lists={lists}
      onValueChange={() => onChanged(field)}
    />
  );
}

/** One field by its kind. */
export function SpecField({
  field,
  name,
  lists,
  onValueChange,
}: {
  field: FieldSpec;
  name: string;
  lists: FormLists;
  onValueChange?: (value: unknown) => void;
}) {
  const { label, required, hint } = field;
  const wide = field.wide || field.kind === "area" || field.kind === "checks";
  const common = {
    name,
    label,
    required,
    hint,
    onValueChange,
    className: wide ? "col-span-full" : undefined,
  };
  switch (field.kind) {
    case "text":
      return <TextField {...common} mask={field.mask} type={field.mask === "phone" ? "tel" : "text"} />;
    case "area":
      return <TextAreaField {...common} rows={2} />;
    case "check":
      return <CheckboxField {...common} />;
    case "date":
      return <DateField {...common} />;
    case "count":
      return <NumberField {...common} max={99} />;
    case "select":
      return <SelectField {...common} options={field.options(lists)} noEmpty={field.noEmpty} />;
    case "checks":
      return <CheckboxGroupField {...common} options={field.options(lists)} />;
  }
}

export type Printed = { legend?: string; rows: { label: string; text: string }[] };

/** What was entered in a section, as text: unticked boxes, blanks and hidden fields left out. */
export function printed(spec: SectionSpec, entry: unknown, lists: FormLists): Printed[] {
  return spec.groups.flatMap((part) => {
    if (part.shows && !(part.shows as (parent: unknown) => boolean)(entry)) return [];
    const values = part.path && isRecord(entry) ? entry[part.path] : entry;
    const rows = printedFields(part.fields, values, lists);
    return rows.length > 0 ? [{ legend: part.legend, rows }] : [];
  });
}

export function printedFields(fields: FieldSpec[], values: unknown, lists: FormLists): Printed["rows"] {
  return fields.flatMap((field) => {
    if (field.shows && !(field.shows as (entry: unknown, lists: FormLists) => boolean)(values, lists))
      return [];
    const text = isRecord(values) ? fieldText(field, values[field.name], lists) : "";
    return text ? [{ label: field.label, text }] : [];
  });
}

/** A field's value as text; "" when there is nothing to say. */
export function fieldText(field: FieldSpec, value: unknown, lists: FormLists): string {
  switch (field.kind) {
    case "check":
      return value ? "Yes" : "";
    case "date":
      return date(value as string | null) || String(value ?? "");
    case "count":
      return value ? String(value) : "";
    case "select":
    case "checks": {
      const chosen = new Set([value].flat());
      const labels = field.options(lists).filter((option) => chosen.has(option.value));
      return labels.map(({ label }) => label).join(", ");
    }
    default:
      return String(value ?? "");
  }
}
