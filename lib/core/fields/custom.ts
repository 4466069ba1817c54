import * as z from "zod/mini";
import {
  type CustomField,
  type CustomRecord,
  currentDefinitions,
  type Definitions,
} from "@/lib/core/fields/definitions";
import {
  customRoots,
  customShapes,
  type FieldFacts,
  fieldFacts,
  schemasAlong,
} from "@/lib/core/fields/facts";
import { isPresent } from "@/lib/core/fields/presence";
import * as schemas from "@/lib/core/fields/validation";
import { isRecord } from "@/lib/core/objects";
import { date, EARLIEST_DAY } from "@/lib/core/text/format";

// The organization's custom fields. A record has one field `custom` with the values of all of them, by key. Its fields are
// those of the current definitions (lib/core/fields/definitions.ts), each with a schema and facts like any other.

/** The value of a custom field: text, a day, a number, a choice's id, several ids, or a box. */
export type CustomValue = string | number | boolean | number[] | null;
export type CustomValues = Record<string, CustomValue>;

/** The most values that a record may be sent with; more than it can have fields. */
const VALUES_MAX = 500;

/** The last day that a date can have. It may be in the future, such as a hearing. */
const LATEST_DAY = "2999-12-31";

/** True if the value is not blank. An empty text, an unticked box, and no choice are not stored. */
export const hasCustomValue = (value: unknown): boolean => value !== false && isPresent(value);

/** Returns the values without blank ones, which are not stored. */
export const withoutBlanks = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => hasCustomValue(value)));

const day = () =>
  schemas
    .anyDate()
    .check(z.refine((iso) => iso <= LATEST_DAY, { error: `must not be after ${date(LATEST_DAY)}` }));
const number = () => z.int().check(z.minimum(-schemas.INT_MAX), z.maximum(schemas.INT_MAX));
const orNull = <Schema extends z.core.$ZodType>(value: Schema) =>
  z.nullable(z.union([schemas.emptyAs(null), value]));

/** Returns the schema of a field's value. A retired choice is accepted, because records may have it. */
function valueSchema({ kind, choices }: CustomField): z.core.$ZodType<CustomValue> {
  const isChoice = (id: number) => choices.some((choice) => choice.id === id);
  const choice = schemas.id().check(z.refine(isChoice, { error: "must be chosen from the list" }));
  switch (kind) {
    case "text":
      return schemas.text();
    case "longText":
      return schemas.longText();
    case "flag":
      return schemas.flag();
    case "day":
      return orNull(day());
    case "number":
      return orNull(number());
    case "choice":
      return orNull(choice);
    case "choices":
      // A choice that is sent twice would count twice in answers by month.
      return z.nullable(
        z.pipe(
          z.array(choice).check(z.maxLength(schemas.ID_LIST_MAX)),
          z.transform((ids) => [...new Set(ids)]),
        ),
      );
  }
}

/** Returns the facts of a field; `title` is that of its section. */
function factsOfCustom(field: CustomField, title: string): FieldFacts {
  const { label, hint, kind, sensitive } = field;
  const common = {
    label,
    hint: hint || undefined,
    required: false,
    sensitive: sensitive || kind === "text" || kind === "longText" || kind === "day",
    inErrorReports: false,
    entered: true,
    requiredFrom: kind === "flag" ? null : field.requiredFrom,
    custom: { ...field, title },
  };
  const choices = field.choices.map(({ id, label, retiredFrom }) => ({ value: id, label, retiredFrom }));
  switch (kind) {
    case "text":
      return { ...common, kind, max: schemas.TEXT_MAX, unique: false };
    case "longText":
      return { ...common, kind, max: schemas.LONG_TEXT_MAX };
    case "flag":
      return { ...common, kind };
    case "day":
      return { ...common, kind, earliest: EARLIEST_DAY, latest: () => LATEST_DAY };
    case "number":
      return { ...common, kind: "whole", min: -schemas.INT_MAX, max: schemas.INT_MAX };
    case "choice":
      return { ...common, kind, choices, blank: null };
    case "choices":
      return { ...common, kind, choices };
  }
}

/** Returns the title of a section: the label of the entry at its path, or the title that the organization gave. */
export function sectionTitle(root: z.core.$ZodType | undefined, section: string): string {
  const names = section.split(".");
  // In a path, a number means a list row. Here it can be a title, such as 2026.
  const facts =
    root && !names.some((name) => /^\d+$/.test(name))
      ? [...schemasAlong(root, names)].at(-1)?.facts
      : undefined;
  return facts?.kind === "entry" ? facts.label : section;
}

type Shape = Readonly<Record<string, z.core.$ZodType<CustomValue>>>;

/** Optional: without it, a save keeps all values. */
type CustomSchema = z.ZodMiniOptional<
  z.ZodMiniType<CustomValues, Readonly<Record<string, unknown>> | null | undefined>
>;

/** A value of any kind. */
const anyValue: z.ZodMiniType<CustomValue> = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.number()),
  z.null(),
]);

/** Returns a field that holds the values of the record's custom fields. */
export function custom(record: CustomRecord): CustomSchema {
  const compiled = new WeakMap<Definitions, Shape>();
  function shapeOfRecord(): Shape {
    const definitions = currentDefinitions();
    const known = compiled.get(definitions);
    if (known) return known;
    const fields = definitions.fields.filter((field) => field.record === record);
    const shape = Object.fromEntries(
      fields.map((field): [string, z.core.$ZodType<CustomValue>] => {
        const value = valueSchema(field);
        fieldFacts.add(value, factsOfCustom(field, sectionTitle(customRoots.get(schema), field.section)));
        return [field.key, value];
      }),
    );
    compiled.set(definitions, shape);
    return shape;
  }
  const sent = z.record(z.string(), z.unknown(), { error: "must be an object" }).check(
    z.refine((values) => Object.keys(values).length <= VALUES_MAX, {
      error: `can have at most ${VALUES_MAX} values`,
      abort: true,
    }),
  );
  const parse = z.transform((values: z.output<typeof sent> | null | undefined, { issues }): CustomValues => {
    const shape = shapeOfRecord();
    const removed = new Set(currentDefinitions().removed.map(({ key }) => key));
    const parsed: CustomValues = {};
    for (const [key, value] of Object.entries(values ?? {})) {
      const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
      // The save itself refuses the value of a removed field, with another error.
      if (!field && removed.has(key)) {
        if (hasCustomValue(value)) parsed[key] = anyValue.safeParse(value).data ?? String(value);
      } else if (!field) {
        issues.push({ code: "custom", path: [key], message: "is not a field", input: value });
      } else {
        const result = z.safeParse(field, value);
        if (result.success) parsed[key] = result.data;
        // Several choices are one field of a screen, too. The input was needed only for the messages, which these already have.
        else
          for (const issue of result.error.issues) issues.push({ ...issue, path: [key], input: undefined });
      }
    }
    return parsed;
  });
  const schema: CustomSchema = z.optional(z.pipe(z.nullish(sent), parse));
  fieldFacts.add(schema, {
    kind: "custom",
    label: "Custom Fields",
    required: false,
    sensitive: true,
    inErrorReports: false,
    entered: true,
  });
  customShapes.set(schema, shapeOfRecord);
  return schema;
}

/** The values sent for fields that were removed since the sender read them: labels and values. */
export function removedValues(custom: unknown): { key: string; label: string; value: unknown }[] {
  if (!isRecord(custom)) return [];
  return currentDefinitions().removed.flatMap(({ key, label }) =>
    hasCustomValue(custom[key]) ? [{ key, label, value: custom[key] }] : [],
  );
}
