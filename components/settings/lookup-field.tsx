"use client";

import { lazy, type ReactNode, Suspense } from "react";
import { useController, useWatch } from "react-hook-form";
import { blocksOf } from "@/components/record/blocks";
import { optionsOf } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { RolePreview } from "@/components/settings/role-preview";
import { CheckboxGroupField } from "@/components/ui/choice-fields";
import type { Option } from "@/components/ui/controls";
import { FieldSet } from "@/components/ui/field";
import { CheckGrid, FieldGrid } from "@/components/ui/section";
import { type Field, type FieldKind, fieldsOf } from "@/lib/core/fields/facts";
import { whole } from "@/lib/core/text/format";
import { permissionWords } from "@/lib/lookups/permission-words";
import type { Lookup } from "@/lib/lookups/registry";
import type { LookupChoices } from "@/lib/lookups/schema";
import type { FormTypeFlags } from "@/lib/lookups/types";

const FormTypePreview = lazy(() => import("@/components/settings/form-type-preview"));

/** Fields that fit next to each other. */
const SHORT: ReadonlySet<FieldKind> = new Set([
  "text",
  "email",
  "lookup",
  "choice",
  "count",
  "whole",
  "money",
]);

/** The fields of a settings list; those that belong together under a legend. */
export function LookupFields({
  list: { schema, parts = [], groups, plural },
  choices,
}: {
  list: Lookup;
  choices: LookupChoices;
}) {
  const fields = fieldsOf(schema);
  const inParts: readonly string[] = parts.flatMap(({ names }) => names);
  const show = (field: Field) => <LookupFieldControl key={field.name} {...{ field, groups, choices }} />;
  const single = fields.filter(({ name }) => !inParts.includes(name));
  return (
    <>
      {single.every(({ facts }) => SHORT.has(facts.kind)) ? (
        <FieldGrid>{single.map(show)}</FieldGrid>
      ) : (
        blocksOf(single).map(({ isChecks, cells }) =>
          isChecks ? (
            <CheckGrid key={cells[0]?.field.name}>{cells.map(({ field }) => show(field))}</CheckGrid>
          ) : (
            cells.map(({ field }) => show(field))
          ),
        )
      )}
      {parts.map(({ legend, names }) => (
        <FieldSet key={legend} legend={legend}>
          <CheckGrid>
            {names.flatMap((name) => fields.filter((field) => field.name === name).map(show))}
          </CheckGrid>
        </FieldSet>
      ))}
      {plural === "formTypes" && <EditedFormType />}
    </>
  );
}

/**
 * Previews the form type that is edited. React may show what is loaded lazily some time after rendering it, and a
 * watch begins when it is shown, so it is outside: it would miss the changes in between.
 */
function EditedFormType() {
  const flags = useWatch({ compute: (values) => values as FormTypeFlags });
  return (
    <Suspense>
      <FormTypePreview flags={flags} />
    </Suspense>
  );
}

/** Renders a field of a settings list. An error shows as red; its text is for assistive technology only. */
function LookupFieldControl({
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
        <RolePreview permissions={choices.permissions ?? []} />
        <GroupedChoices name={name} label={facts.label} groups={groups} options={options} />
      </>
    );
  }
  const control = (
    <FieldControl {...{ name, facts, choices }} hideError rows={4} placeholder="-- Select --" />
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
          className="relative border-line border-t pt-3 [&>legend]:float-left [&>legend]:w-full [&>legend]:font-semibold [&>legend]:text-base [&>legend~*]:clear-both [&>label]:absolute [&>label]:top-1.5 [&>label]:right-0"
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
