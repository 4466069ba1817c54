import type { z } from "zod";
import type { Choices } from "@/components/record/choices";
import { type FieldFacts, factsOf, objectIn } from "@/lib/core/fields/facts";

// Adds to a record's fields what a screen needs: their order, their groups, and conditions to show them. Labels, kinds
// and options are facts of the fields.

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
  /** Replaces the nested entry's own label. */
  legend?: string;
  /** `row`: small fields on one line, for use in a table. */
  columns?: 2 | 3 | 4 | "row";
  /** Fields that need their own row. */
  wide?: readonly FieldName<Values>[];
  /** True if the group is shown for the section's values. If missing, it is always shown. */
  shows?: (section: Section) => boolean;
  /** True if the field is shown for the values of its entry. If missing, it is always shown. */
  when?: { [Name in FieldName<Values>]?: (entry: Values, choices: Choices) => boolean };
  /** True if a blank field is a missing answer for the values of its entry. If missing, it always is one. */
  asks?: { [Name in FieldName<Values>]?: (entry: Values, choices: Choices) => boolean };
};

type Groups<Values extends object> = {
  /** A group of the section's own fields, in screen order. */
  fields: (names: readonly FieldName<Values>[], options?: GroupOptions<Values, Values>) => SectionGroup;
  /** A group of the fields of a nested entry. */
  entry: <Name extends EntryName<Values>>(
    name: Name,
    names: readonly FieldName<NonNullable<Values[Name]>>[],
    options?: GroupOptions<Values, Extract<NonNullable<Values[Name]>, object>>,
  ) => SectionGroup;
};

/** Declared as methods, because a group is typed for one kind of values and stored with groups of others. */
export interface SectionField {
  name: string;
  facts: FieldFacts;
  wide: boolean;
  shows?(entry: object, choices: Choices): boolean;
  asks?(entry: object, choices: Choices): boolean;
}

export interface SectionGroup {
  legend?: string;
  /** The path of the fields below the section's path; "" is the section itself. */
  path: string;
  columns?: 2 | 3 | 4 | "row";
  fields: SectionField[];
  shows?(section: object): boolean;
}

export interface SectionSpec {
  title: string;
  groups: SectionGroup[];
  /** The field that shows the section's own error. A change of any field validates it again. */
  errorAt?: string;
  /** The clearing rules of the section's module. */
  clear?(section: object, choices: Choices): object;
}

export const join = (...parts: string[]): string => parts.filter(Boolean).join(".");

function groupOf<Section extends object, Values extends object>(
  schema: z.core.$ZodType,
  path: string,
  names: readonly FieldName<Values>[],
  { legend, columns, wide = [], shows, when = {}, asks = {} }: GroupOptions<Section, Values>,
): SectionGroup {
  const shape: Record<string, z.core.$ZodType> = objectIn(schema)?.shape ?? {};
  const fields = names.map((name): SectionField => {
    const field = shape[name];
    const facts = field && factsOf(field);
    if (!facts) throw new Error(`${name} is not a field of the section`);
    const isLong = facts.kind === "longText" || facts.kind === "lookups";
    return { name, facts, wide: isLong || wide.includes(name), shows: when[name], asks: asks[name] };
  });
  return { legend: legend ?? (path ? factsOf(schema)?.label : undefined), path, columns, fields, shows };
}

/**
 * Returns the screen's definition of a section: its groups of fields in order, and its clearing rules. Fields in no
 * group are not shown.
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
