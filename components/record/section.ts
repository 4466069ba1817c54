import type { z } from "zod";
import type { Choices } from "@/components/record/choices";
import { type FieldFacts, factsOf, objectIn } from "@/lib/core/fields/facts";

// What a screen adds to a record's fields: their order, their groups, and what shows when. Labels, kinds and options
// are facts of the fields.

type ValuesOf<Schema extends z.core.$ZodType> = Extract<NonNullable<z.output<Schema>>, object>;

/** The names of the fields of an entry, and of the entries nested in it. */
type FieldName<Values> = {
  [Name in keyof Values]: NonNullable<Values[Name]> extends
    | readonly (string | number)[]
    | string
    | number
    | boolean
    ? Name
    : never;
}[keyof Values] &
  string;
type EntryName<Values> = Exclude<keyof Values & string, FieldName<Values>>;

type GroupOptions<Section extends object, Values extends object> = {
  /** Instead of the nested entry's own label. */
  legend?: string;
  /** `row`: small fields on one line, for what stands in a table. */
  columns?: 2 | 3 | 4 | "row";
  /** Fields that take a row of their own. */
  wide?: readonly FieldName<Values>[];
  /** Whether the group is asked, by the section's values; without it, always. */
  shows?: (section: Section) => boolean;
  /** Whether a field is asked, by the values of the entry that it stands in; without it, always. */
  when?: { [Name in FieldName<Values>]?: (entry: Values, choices: Choices) => boolean };
};

type Groups<Values extends object> = {
  /** A group of the section's own fields, in their order on the screen. */
  fields: (names: readonly FieldName<Values>[], options?: GroupOptions<Values, Values>) => SectionGroup;
  /** A group of the fields of an entry nested in the section. */
  entry: <Name extends EntryName<Values>>(
    name: Name,
    names: readonly FieldName<NonNullable<Values[Name]>>[],
    options?: GroupOptions<Values, Extract<NonNullable<Values[Name]>, object>>,
  ) => SectionGroup;
};

/** Declared as methods, since a group is made for one kind of values and kept beside groups of others. */
export interface SectionField {
  name: string;
  facts: FieldFacts;
  wide: boolean;
  shows?(entry: object, choices: Choices): boolean;
}

export interface SectionGroup {
  legend?: string;
  /** Where the fields stand below the section's own path; "" is the section itself. */
  path: string;
  columns?: 2 | 3 | 4 | "row";
  fields: SectionField[];
  shows?(section: object): boolean;
}

export interface SectionSpec {
  title: string;
  groups: SectionGroup[];
  /** The field that shows the section's own error; a change of any field checks it again. */
  errorAt?: string;
  /** The clearing rules of the section's module. */
  clear?(section: object, choices: Choices): object;
}

export const join = (...parts: string[]): string => parts.filter(Boolean).join(".");

function groupOf<Section extends object, Values extends object>(
  schema: z.core.$ZodType,
  path: string,
  names: readonly FieldName<Values>[],
  { legend, columns, wide = [], shows, when = {} }: GroupOptions<Section, Values>,
): SectionGroup {
  const shape: Record<string, z.core.$ZodType> = objectIn(schema)?.shape ?? {};
  const fields = names.map((name): SectionField => {
    const field = shape[name];
    const facts = field && factsOf(field);
    if (!facts) throw new Error(`${name} is not a field of the section`);
    const isLong = facts.kind === "longText" || facts.kind === "lookups";
    return { name, facts, wide: isLong || wide.includes(name), shows: when[name] };
  });
  return { legend: legend ?? (path ? factsOf(schema)?.label : undefined), path, columns, fields, shows };
}

/**
 * The screen's side of a section: its groups of fields in order, and its clearing rules. A field that is not named
 * in a group is not asked.
 */
export function section<Schema extends z.core.$ZodType>(
  schema: Schema,
  groups: (make: Groups<ValuesOf<Schema>>) => SectionGroup[],
  rules: {
    clear?: (section: ValuesOf<Schema>, choices: Choices) => object;
    errorAt?: FieldName<ValuesOf<Schema>>;
  } = {},
): SectionSpec {
  const shape: Record<string, z.core.$ZodType> = objectIn(schema)?.shape ?? {};
  return {
    title: factsOf(schema)?.label ?? "",
    ...rules,
    groups: groups({
      fields: (names, options = {}) => groupOf(schema, "", names, options),
      entry: (name, names, options = {}) => groupOf(shape[name] ?? schema, name, names, options),
    }),
  };
}
