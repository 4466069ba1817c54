"use client";

import { useFieldArray, useFormContext, useWatch } from "react-hook-form";
import type { Choices } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { Button, IconButton } from "@/components/ui/controls";
import { FieldSet, Messages, useField } from "@/components/ui/field";
import { onFirstClick } from "@/components/ui/first-click";
import { PlusIcon, TrashIcon } from "@/components/ui/icons";
import { type Field, factsOf, fieldsOf } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/objects";

/** Returns the fields of a row that a user enters, and the blank values of one. */
const rowFields = ({ schema }: Field): readonly Field[] =>
  fieldsOf(schema).filter(({ facts }) => facts.entered);

/**
 * The rows of a list within a record, each in one line. A row offers only what it names and what is still in use. A
 * required list keeps its last row.
 */
export function RowsField({ field, choices }: { field: Field; choices: Choices }) {
  const { name, facts } = field;
  const fields = rowFields(field);
  const { control } = useFormContext();
  const rows = useFieldArray({ control, name, keyName: "key" });
  const values: unknown = useWatch({ name });
  const state = useField({ name });
  const blank = Object.fromEntries(fields.map(({ name }) => [name, null]));
  // A prefilled list has no star, but it still needs a row.
  const isFixed = factsOf(field.schema)?.required && rows.fields.length <= 1;
  return (
    <FieldSet
      legend={facts.label}
      className="col-span-full basis-full"
      aria-describedby={state.control["aria-describedby"]}
    >
      <div className="stack">
        {rows.fields.map(({ key }, at) => (
          <div key={key} className="flex flex-wrap items-start gap-x-3 gap-y-2">
            {fields.map((inRow) => (
              <FieldControl
                key={inRow.name}
                name={`${name}.${at}.${inRow.name}`}
                facts={{
                  ...inRow.facts,
                  hint: longName(choices, inRow, valuesIn(values, inRow.name)[at]) ?? inRow.facts.hint,
                }}
                choices={inUse(choices, inRow, valuesIn(values, inRow.name), at)}
                className={inRow.facts.kind === "lookup" ? NAME_IN_ROW : "w-24 sm:w-28"}
              />
            ))}
            {!isFixed && (
              <div className="pt-6">
                <IconButton
                  label={`Remove ${facts.label} ${at + 1}`}
                  icon={<TrashIcon />}
                  onClick={onFirstClick(() => rows.remove(at))}
                />
              </div>
            )}
          </div>
        ))}
        <Messages state={state} />
        <div>
          <Button size="sm" icon={<PlusIcon />} onClick={() => rows.append(blank)}>
            {`Add ${facts.label.toLowerCase()}`}
          </Button>
        </div>
      </div>
    </FieldSet>
  );
}

/** On a phone, what a row names has a line of its own, so that its numbers are next to each other. */
const NAME_IN_ROW = "min-w-0 flex-1 basis-full sm:max-w-96 sm:basis-40";

/** The only row of a prefilled list in one line: what it names is given, so only its other fields are shown. */
export function RowInLine({ field, choices }: { field: Field; choices: Choices }) {
  const others = rowFields(field).filter(({ facts }) => facts.kind !== "lookup");
  return others.map(({ name, facts }) => (
    <FieldControl
      key={name}
      name={`${field.name}.0.${name}`}
      facts={facts}
      choices={choices}
      className="w-28"
    />
  ));
}

/** Returns a field's value in each row. */
const valuesIn = (rows: unknown, name: string): unknown[] =>
  Array.isArray(rows) ? rows.map((row) => (isRecord(row) ? row[name] : undefined)) : [];

/** Returns the name of the chosen record if a select cuts it off. */
function longName(choices: Choices, { facts }: Field, chosen: unknown): string | undefined {
  if (facts.kind !== "lookup") return undefined;
  const name = choices[facts.list]?.find(({ id }) => id === chosen)?.name ?? "";
  return name.length > NAME_LETTERS_MAX ? name : undefined;
}
/** The letters of a name that a select shows in full. */
const NAME_LETTERS_MAX = 40;

/** Returns the choices without records that are no longer in use or that another row names. */
function inUse(choices: Choices, { facts }: Field, named: readonly unknown[], at: number): Choices {
  if (facts.kind !== "lookup") return choices;
  const offered = choices[facts.list]?.filter(
    ({ id, active = true }) => named[at] === id || (active && !named.includes(id)),
  );
  return { ...choices, [facts.list]: offered };
}
