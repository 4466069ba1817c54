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
import { LONG_TEXT_MAX, TEXT_MAX } from "@/lib/fields/validation";
import type { LookupField } from "@/lib/lookups/registry";
import { boundsOf, type LookupChoices } from "@/lib/lookups/schema";

/** A registry field as its control. Its error is red, its words are for assistive technology (spec §5). */
export function LookupFieldControl({ field, choices }: { field: LookupField; choices: LookupChoices }) {
  const { name, label, required, placeholder, hint } = field;
  const shared = { name, label, required, hint, hideError: true };
  const options = (field.from ? choices[field.from] : undefined)?.map((choice) => ({
    value: choice.id,
    label: choice.name,
  }));
  switch (field.kind) {
    case "text":
      return (
        <Bounded name={name} most={TEXT_MAX}>
          <TextField {...shared} />
        </Bounded>
      );
    case "email":
      return <TextField {...shared} type="email" />;
    case "longText":
      return (
        <Bounded name={name} most={LONG_TEXT_MAX}>
          <TextAreaField {...shared} />
        </Bounded>
      );
    case "integer":
      return <NumberField {...shared} {...boundsOf(field)} step={1} />;
    case "currency":
      return <NumberField {...shared} {...boundsOf(field)} step={0.01} />;
    case "boolean":
      return <CheckboxField {...shared} className="-my-1.5" />;
    case "choice":
      return <SelectField {...shared} options={options ?? []} placeholder={placeholder} />;
    case "choices":
      return field.groups ? (
        <GroupedChoices field={field} options={options ?? []} />
      ) : (
        <CheckboxGroupField {...shared} options={options ?? []} />
      );
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
function GroupedChoices({ field, options }: { field: LookupField; options: Option[] }) {
  const { name, label, groups = [] } = field;
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
