"use client";

import type { ReactNode } from "react";
import { useController, useWatch } from "react-hook-form";
import { optionsOf } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { RolePreview } from "@/components/settings/role-preview";
import { CheckboxGroupField } from "@/components/ui/choice-fields";
import type { Option } from "@/components/ui/controls";
import { FieldSet } from "@/components/ui/field";
import type { Field } from "@/lib/core/fields/facts";
import { whole } from "@/lib/core/fields/format";
import { permissionWords } from "@/lib/lookups/permission-words";
import type { Lookup } from "@/lib/lookups/registry";
import type { LookupChoices } from "@/lib/lookups/schema";

/** Renders a field of a settings list. An error shows as red; its text is for assistive technology only. */
export function LookupFieldControl({
  field: { name, facts },
  groups,
  choices,
}: {
  field: Field;
  groups: Lookup["groups"];
  choices: LookupChoices;
}) {
  if (facts.kind === "lookups" && groups) {
    const options = optionsOf(facts, choices).map((option) => ({
      ...option,
      hint: permissionWords(option.label),
    }));
    return (
      <>
        <GroupedChoices name={name} label={facts.label} groups={groups} options={options} />
        <RolePreview permissions={choices.permissions ?? []} />
      </>
    );
  }
  const control = (
    <FieldControl
      {...{ name, facts, choices }}
      hideError
      rows={4}
      placeholder="-- Select --"
      className={facts.kind === "flag" ? "-my-1.5" : undefined}
    />
  );
  return facts.kind === "text" || facts.kind === "longText" ? (
    <Bounded name={name} most={facts.max}>
      {control}
    </Bounded>
  ) : (
    control
  );
}

/** Shows how long a text is and its limit, because red alone does not explain it. The text is never cut. */
function Bounded({ name, most, children }: { name: string; most: number; children: ReactNode }) {
  const { length }: string = useWatch({ name });
  return (
    <div>
      {children}
      <p role="status" className="text-danger text-sm">
        {length > most && `${whole(length)} of ${whole(most)} characters`}
      </p>
    </div>
  );
}

/** Checkboxes in groups, with a "select all" box for each group and one for all groups. */
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
  const values: Option["value"][] = controlled.value ?? [];
  const all = options.every(({ value }) => values.includes(value));
  const named: string[] = groups.flatMap((group) => group.names ?? []);

  return (
    <FieldSet legend={label} className="stack">
      <label className="flex min-h-control w-fit items-center gap-2.5">
        <input
          type="checkbox"
          className="check"
          ref={(box) => {
            if (box) box.indeterminate = !all && values.length > 0;
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
            names ? names.some((name) => name === option.label) : !named.includes(option.label),
          )}
        />
      ))}
    </FieldSet>
  );
}
