import type { z } from "zod/mini";
import type { Choices } from "@/components/record/choices";
import { arranged } from "@/lib/core/fields/arranged";
import { currentDefinitions, type Definitions } from "@/lib/core/fields/definitions";
import { declaredFacts, declaredShape, type FieldFacts, factsOf, isAsked } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/fields/plain";

// Adds to a record's fields what a screen needs: their order, their groups, and conditions to show them. Labels, kinds,
// options, and the boxes that a field depends on are facts of the fields.

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
  /** True if the group is shown for the section's values. If missing, the boxes its entry depends on decide. */
  shows?: (section: Section) => boolean;
  /** True if the field is shown for the values of its entry. If missing, the boxes it depends on decide. */
  when?: { [Name in FieldName<Values>]?: (entry: Values, choices: Choices) => boolean };
  /** True if a blank field is a missing answer for the values of its entry. If missing, it always is one. */
  asks?: { [Name in FieldName<Values>]?: (entry: Values, choices: Choices) => boolean };
};

type Groups<Values extends object> = {
  /** A group of the section's own fields, in screen order. */
  fields: (names: readonly FieldName<Values>[], options?: GroupOptions<Values, Values>) => DeclaredGroup;
  /** A group of the fields of a nested entry. */
  entry: <Name extends EntryName<Values>>(
    name: Name,
    names: readonly FieldName<NonNullable<Values[Name]>>[],
    options?: GroupOptions<Values, Extract<NonNullable<Values[Name]>, object>>,
  ) => DeclaredGroup;
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

/** A group as declared, from which the organization's settings make the group that is shown. */
type DeclaredGroup = Omit<SectionGroup, "fields" | "shows"> & {
  schema: z.core.$ZodType;
  fields: (Omit<SectionField, "facts"> & { schema: z.core.$ZodType })[];
  /** True if the group has a condition. Its fields stay among themselves when they are moved. */
  isConditional: boolean;
  shows?(section: object): boolean;
};

export interface SectionSpec {
  readonly title: string;
  /** Without the fields that the organization hides, in its order. */
  readonly groups: readonly SectionGroup[];
  /** The fields that move among themselves, in order and including hidden ones, each with its path below the section. */
  readonly blocks: readonly (readonly string[])[];
  /** The field that shows the section's own error. A change of any field validates it again. */
  readonly errorAt?: string;
  /** The clearing rules of the section's module. */
  clear?(section: object, choices: Choices): object;
}

export const join = (...parts: string[]): string => parts.filter(Boolean).join(".");

function groupOf<Section extends object, Values extends object>(
  schema: z.core.$ZodType,
  path: string,
  names: readonly FieldName<Values>[],
  { legend, columns, wide = [], shows, when = {}, asks = {} }: GroupOptions<Section, Values>,
): DeclaredGroup {
  const shape = declaredShape(schema);
  const fields = names.map((name) => {
    const field = shape[name];
    const facts = field && declaredFacts(field);
    if (!facts) throw new Error(`${name} is not a field of the section`);
    const isLong = facts.kind === "longText" || facts.kind === "lookups";
    return {
      name,
      schema: field,
      wide: isLong || wide.includes(name),
      shows: when[name] ?? condition<Values>(facts),
      asks: asks[name],
    };
  });
  const entry = path ? declaredFacts(schema) : undefined;
  return {
    schema,
    legend: legend ?? entry?.label,
    path,
    columns,
    fields,
    shows: shows ?? (entry && condition<Section>(entry)),
    isConditional: shows !== undefined,
  };
}

/** Returns the condition under which a field is asked, from the boxes it depends on. */
const condition = <Values extends object>(facts: FieldFacts) =>
  facts.dependsOn && ((values: Values) => isRecord(values) && isAsked(facts, values));

type Placed = { group: DeclaredGroup; field: DeclaredGroup["fields"][number] };

/**
 * Returns the fields that move among themselves, in order: those of the section without a condition, and those of each
 * other group.
 */
function blocksOf(groups: readonly DeclaredGroup[]): Placed[][] {
  const isOpen = ({ path, isConditional }: DeclaredGroup) => !path && !isConditional;
  const blocks = [groups.filter(isOpen), ...groups.filter((group) => !isOpen(group)).map((group) => [group])];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.flatMap((group) => group.fields.map((field) => ({ group, field }))))
    .map((block) => arranged(block, ({ field }) => factsOf(field.schema)?.position));
}

/** Returns the groups without hidden fields. A moved field is in the group of the field before it. */
function shownGroups(groups: readonly DeclaredGroup[]): SectionGroup[] {
  const shown = new Map<DeclaredGroup, SectionField[]>();
  for (const block of blocksOf(groups)) {
    let current = block[0]?.group;
    for (const { group, field } of block) {
      const { schema, ...rest } = field;
      const facts = factsOf(schema);
      if (facts?.position === null || facts?.position === undefined) current = group;
      if (!facts || !current || facts.hidden) continue;
      shown.set(current, [...(shown.get(current) ?? []), { ...rest, facts }]);
    }
  }
  return groups.flatMap((group) => {
    const fields = shown.get(group);
    return fields ? [{ ...group, fields }] : [];
  });
}

/**
 * Returns the screen's definition of a section: its groups of fields in order, and its clearing rules. Fields in no
 * group are not shown. Labels, order, and hidden fields follow the current definitions.
 */
export function section<Schema extends z.core.$ZodType>(
  schema: Schema,
  groups: (make: Groups<ValuesOf<Schema>>) => DeclaredGroup[],
  rules: {
    clear?: (section: ValuesOf<Schema>, choices: Choices) => object;
    /** True if the section's own error is shown at its first field. */
    hasOwnError?: true;
  } = {},
): SectionSpec {
  const shape = declaredShape(schema);
  const declared = groups({
    fields: (names, options = {}) => groupOf(schema, "", names, options),
    entry: (name, names, options = {}) => groupOf(shape[name] ?? schema, name, names, options),
  });
  let shown: { of: Definitions; groups: readonly SectionGroup[] } | null = null;
  const spec: SectionSpec = {
    title: declaredFacts(schema)?.label ?? "",
    get groups() {
      const of = currentDefinitions();
      if (shown?.of !== of) shown = { of, groups: shownGroups(declared) };
      return shown.groups;
    },
    get blocks() {
      return blocksOf(declared).map((block) => block.map(({ group, field }) => join(group.path, field.name)));
    },
    get errorAt() {
      return rules.hasOwnError && spec.groups[0]?.fields[0]?.name;
    },
    clear: rules.clear,
  };
  return spec;
}
