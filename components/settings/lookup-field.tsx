"use client";

import type { ReactNode } from "react";
import { useController, useWatch } from "react-hook-form";
import {
  CheckboxField,
  CheckboxGroupField,
  FieldSet,
  NumberField,
  type Option,
  SelectField,
  TextAreaField,
  TextField,
} from "@/components/ui/field";
import type { Field, ListName } from "@/lib/fields/facts";
import type { Lookup } from "@/lib/lookups/registry";
import type { LookupChoices } from "@/lib/lookups/schema";

/** A field of a settings list as its control. Its error is red, its words are for assistive technology (spec §5). */
export function LookupFieldControl({
  field: { name, facts },
  groups,
  choices,
}: {
  field: Field;
  groups: Lookup["groups"];
  choices: LookupChoices;
}) {
  const { label, required, hint } = facts;
  const shared = { name, label, required, hint, hideError: true };
  const options = (list: ListName): Option[] =>
    (choices[list] ?? []).map((choice) => ({ value: choice.id, label: choice.name }));
  switch (facts.kind) {
    case "text":
      return (
        <Bounded name={name} most={facts.max}>
          <TextField {...shared} />
        </Bounded>
      );
    case "email":
      return <TextField {...shared} type="email" />;
    case "longText":
      return (
        <Bounded name={name} most={facts.max}>
          <TextAreaField {...shared} />
        </Bounded>
      );
    case "whole":
      return <NumberField {...shared} min={facts.min} max={facts.max} step={1} />;
    case "money":
      return <NumberField {...shared} min={facts.min} max={facts.max} step={0.01} />;
    case "flag":
      return <CheckboxField {...shared} className="-my-1.5" />;
    case "lookup":
      return <SelectField {...shared} options={options(facts.list)} placeholder="-- Select --" />;
    case "lookups":
      return groups ? (
        <GroupedChoices name={name} label={label} groups={groups} options={options(facts.list)} />
      ) : (
        <CheckboxGroupField {...shared} options={options(facts.list)} />
      );
    default:
      throw new Error(`No settings list has a field of kind ${facts.kind}`);
  }
}

/** Says by how much a text is too long, which its red alone would not: it is never cut (contract §4). */
function Bounded({ name, most, children }: { name: string; most: number; children: ReactNode }) {
  const { length } = useWatch({ name }) as string;
  return (
    <div>
      {children}
      <p role="status" className="text-danger text-sm">
        {length > most && `${length.toLocaleString("en-US")} of ${most.toLocaleString("en-US")} characters`}
      </p>
    </div>
  );
}

/** Many choices in groups, each with a box for all of it, and one for all of all. */
function GroupedChoices({
  name,
  label,
  groups,
  options,
}: {
  name: string;
  label: string;
  groups: NonNullable<Lookup["groups"]>;
  options: Option[];
}) {
  const { field: controlled } = useController({ name });
  const chosen: Option["value"][] = controlled.value ?? [];
  const all = options.every(({ value }) => chosen.includes(value));
  const named = groups.flatMap((group) => group.names ?? []) as string[];

  return (
    <FieldSet legend={label} className="stack">
      <label className="flex min-h-control w-fit items-center gap-2.5">
        <input
          type="checkbox"
          className="check"
          ref={(box) => {
            if (box) box.indeterminate = !all && chosen.length > 0;
          }}
          checked={all}
          onBlur={controlled.onBlur}
          onChange={(event) =>
            controlled.onChange(event.target.checked ? options.map(({ value }) => value) : [])
          }
        />
        Select all {label.toLowerCase()}
      </label>
      {groups.map(({ legend, names }) => (
        <CheckboxGroupField
          key={legend}
          part={legend}
          name={name}
          label={legend}
          selectAll
          hideError
          options={options.filter((option) =>
            names ? (names as readonly string[]).includes(option.label) : !named.includes(option.label),
          )}
        />
      ))}
    </FieldSet>
  );
}
