import type * as z from "zod/mini";
import type { Choices } from "@/components/record/choices";
import { currentDefinitions, type Definitions } from "@/lib/core/fields/definitions";
import {
  declaredFacts,
  declaredShape,
  type FieldFacts,
  factsOf,
  fieldAtPath,
  fieldsOf,
  isAsked,
} from "@/lib/core/fields/facts";
import { customFieldPath, type Item, inOrder, namesAbove } from "@/lib/core/fields/in-order";
import { withoutUnasked } from "@/lib/core/fields/shapes";
import { isRecord } from "@/lib/core/objects";

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
  /** Small fields on one line, for use in a table. */
  columns?: "row";
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

interface SectionGroup {
  legend?: string;
  /** The path of the fields below the section's path; "" is the section itself. */
  path: string;
  columns?: "row";
  fields: SectionField[];
  shows?(section: object): boolean;
}

/** A group as declared, from which the organization's settings make the group that is shown. */
type DeclaredGroup = Omit<SectionGroup, "fields" | "shows"> & {
  schema: z.core.$ZodType;
  fields: (Omit<SectionField, "facts"> & { schema: z.core.$ZodType })[];
  /** True if the group has a condition. Then no other field can join it. */
  isConditional: boolean;
  shows?(section: object): boolean;
};

/** A field of a section, or a nested entry with the fields `inside` it. */
export type SectionItem = Item & { inside?: readonly Item[] };

export interface SectionSpec {
  /** Such as `form.intakeForm.survivorEntry`. */
  readonly path: string;
  readonly title: string;
  /**
   * The groups in the organization's order, without hidden fields and with all custom fields. `withCustom` selects the custom
   * fields that a screen has.
   */
  readonly groups: readonly SectionGroup[];
  /** All fields in their declared order, including hidden and custom ones. */
  readonly items: readonly SectionItem[];
  /** The field that shows the section's own error. A change of any field validates it again. */
  readonly errorAt?: string;
  /** Returns the section's values after its clearing rules. */
  clear(section: object, choices: Choices): object;
}

export const join = (...parts: string[]): string => parts.filter(Boolean).join(".");

function groupOf<Section extends object, Values extends object>(
  schema: z.core.$ZodType,
  path: string,
  names: readonly FieldName<Values>[],
  { legend, columns, shows, when = {}, asks = {} }: GroupOptions<Section, Values>,
): DeclaredGroup {
  const shape = declaredShape(schema);
  const fields = names.map((name) => {
    const field = shape[name];
    const facts = field && declaredFacts(field);
    if (!facts) throw new Error(`${name} is not a field of the section`);
    return {
      name,
      schema: field,
      wide: facts.kind === "longText" || facts.kind === "lookups",
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

type DeclaredField = DeclaredGroup["fields"][number];
/** A declared field, a nested entry with all its fields, or a custom field. */
type Declared = Item &
  ({ group: DeclaredGroup; field: DeclaredField } | { part: DeclaredGroup } | { custom: FieldFacts });

/** Returns the fields of a group with their paths in the entry at `at`. */
const fieldItems = (
  group: DeclaredGroup,
  at: string,
): (Item & { group: DeclaredGroup; field: DeclaredField })[] =>
  group.fields.map((field) => ({
    path: join(at, field.name),
    beneath: pathsAbove(field.schema, at),
    group,
    field,
  }));

/** Returns the paths of the fields, in the entry at `at`, that a field or entry stays under. */
const pathsAbove = (schema: z.core.$ZodType, at: string) =>
  namesAbove(declaredFacts(schema) ?? {}).map((name) => join(at, name));

/** Returns all items of the section at `at` in their declared order, with custom fields last. */
function itemsOf(groups: readonly DeclaredGroup[], at: string): Declared[] {
  const declared = groups.flatMap((group): Declared[] => {
    if (!group.path) return fieldItems(group, at);
    return [{ path: join(at, group.path), beneath: pathsAbove(group.schema, at), part: group }];
  });
  return [
    ...declared,
    ...customFacts(at).map((facts) => ({ path: customFieldPath(facts.custom), custom: facts })),
  ];
}

/** Returns the facts of the custom fields of the section at `at`. */
function customFacts(at: string) {
  const [record = "", ...names] = at.split(".");
  const values = fieldAtPath(`${record}.custom`);
  return (values ? fieldsOf(values) : []).flatMap(({ facts }) => {
    const { custom } = facts;
    return custom && custom.section === names.join(".") ? [{ ...facts, custom }] : [];
  });
}

/** A group for custom fields that follow a nested entry or a conditional group. */
const OPEN: Pick<SectionGroup, "path"> = { path: "" };

/**
 * Returns the groups without hidden fields. A field that was moved joins the group before it, unless the next field is of
 * its own group. So [a b] and [c d] become [a c b d] in the order a, c, b, d, and [a] and [c d b] in the order a, c, d, b.
 * Nothing joins a nested entry or a conditional group.
 */
function shownGroups(groups: readonly DeclaredGroup[], at: string): SectionGroup[] {
  const shown: { of: DeclaredGroup | null; group: SectionGroup }[] = [];
  const begin = (of: DeclaredGroup | null, fields: SectionField[]) =>
    shown.push({ of, group: { ...(of ?? OPEN), fields } });
  const items = inOrder(itemsOf(groups, at)).filter(
    (item) => !("field" in item) || !factsOf(item.field.schema)?.hidden,
  );
  for (const [index, item] of items.entries()) {
    const current = shown.at(-1);
    const isOpen = current !== undefined && !current.group.path && !current.of?.isConditional;
    if ("part" in item) {
      const inside = inOrder(fieldItems(item.part, item.path)).flatMap(({ field }) => shownField(field));
      if (inside.length > 0) begin(item.part, inside);
    } else if ("custom" in item) {
      const { custom } = item;
      const name = item.path.split(".").slice(1).join(".");
      const field = { name, facts: custom, wide: custom.kind === "longText" || custom.kind === "choices" };
      if (isOpen) current.group.fields.push(field);
      else begin(null, [field]);
    } else {
      const { group, field } = item;
      const next = items[index + 1];
      const begins = group.fields.length === 1 || (next && "group" in next && next.group === group);
      const joins = current?.of === group || (isOpen && !group.isConditional && !begins);
      if (current && joins) current.group.fields.push(...shownField(field));
      else begin(group, shownField(field));
    }
  }
  return shown.map(({ group }) => group);
}

/** Returns the field with its current facts; nothing if the organization hides it. */
function shownField({ schema, ...field }: DeclaredField): SectionField[] {
  const facts = factsOf(schema);
  return facts && !facts.hidden ? [{ ...field, facts }] : [];
}

/** Returns the groups with only the custom fields that `custom` has, each with its place. */
export function withCustom<Own extends { facts: FieldFacts }>(
  groups: readonly SectionGroup[],
  custom: readonly Own[],
): (Omit<SectionGroup, "fields"> & { fields: (SectionField & { custom?: Own })[] })[] {
  const byKey = new Map(custom.map((one) => [one.facts.custom?.key, one]));
  return groups.flatMap((group) => {
    const fields = group.fields.flatMap((field) => {
      const place = field.facts.custom && byKey.get(field.facts.custom.key);
      return field.facts.custom && !place ? [] : [{ ...field, custom: place }];
    });
    return fields.length > 0 ? [{ ...group, fields }] : [];
  });
}

/**
 * Returns the screen's definition of the section at `path`: its groups of fields in order, and its clearing rules. Fields
 * without a group are not shown. Labels, order, and hidden fields follow the current definitions.
 */
export function section<Schema extends z.core.$ZodType>(
  path: string,
  schema: Schema,
  groups: (make: Groups<ValuesOf<Schema>>) => DeclaredGroup[],
  rules: {
    /** If missing, fields that their boxes do not ask are cleared. */
    clear?: (section: ValuesOf<Schema>, choices: Choices) => object;
    /** True if the section's own error is shown at its first field. */
    showsItsError?: true;
  } = {},
): SectionSpec {
  const shape = declaredShape(schema);
  const declared = groups({
    fields: (names, options = {}) => groupOf(schema, "", names, options),
    entry: (name, names, options = {}) => groupOf(shape[name] ?? schema, name, names, options),
  });
  let shown: { of: Definitions; groups: readonly SectionGroup[] } | null = null;
  const spec: SectionSpec = {
    path,
    title: declaredFacts(schema)?.label ?? "",
    get groups() {
      const of = currentDefinitions();
      if (shown?.of !== of) shown = { of, groups: shownGroups(declared, path) };
      return shown.groups;
    },
    get items() {
      return itemsOf(declared, path).map((item): SectionItem => {
        const { path: at, beneath } = item;
        return { path: at, beneath, ...("part" in item && { inside: fieldItems(item.part, at) }) };
      });
    },
    get errorAt() {
      if (!rules.showsItsError) return undefined;
      const fields = spec.groups.flatMap((group) => group.fields);
      return fields.find(({ facts }) => !facts.custom)?.name;
    },
    clear: rules.clear ?? ((entry) => withoutUnasked(schema, entry)),
  };
  return spec;
}
