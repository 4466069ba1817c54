import * as z from "zod/mini";
import {
  type CustomField,
  currentDefinitions,
  type Definitions,
  type FieldSetting,
} from "@/lib/core/fields/definitions";
import type { Table } from "@/lib/core/fields/tables";
import { plainName, WIRE_SUFFIX } from "@/lib/core/fields/wire-names";
import type { MaskName } from "@/lib/core/text/format";

/** A list of records that a field can refer to, named by its table. */
export type ListName = Table;

/** `retiredFrom` is the first day on which a custom field's choice is no longer offered. */
export type Choice = { value: string | number; label: string; retiredFrom?: string | null };

type Common = {
  /** The label on the screens. */
  label: string;
  /** The field must be filled in; screens mark it with a star. */
  required: boolean;
  hint?: string;
  /** Names the funders' reports that count by the field. A client without a value there counts as not reported. */
  usedIn?: string;
  /** The field identifies a person, or is free text, which may. */
  sensitive: boolean;
  /** Its numbers, booleans and choices may appear in an error report. Free text never does. */
  inErrorReports: boolean;
  /** A user enters it on a screen. Otherwise it comes with its row, or follows from other fields. */
  entered: boolean;
  /** States the field in the one-line summary of its form; `…` is its value: `PFA order: …`. */
  summary?: string;
  /** The client's page shows a reported value with its date, as a warning for the next colleague. */
  safety?: boolean;
  /** Rarely changes between the forms of a client, so a new form suggests the last value. */
  lasting?: boolean;
  /** The definition of a custom field, with the title of its section. */
  custom?: CustomField & { title: string };
  /** The organization cannot hide it. */
  alwaysShown?: boolean;
  dependsOn?: Dependence;
  /** The name of the field that it stays under when fields move, if it depends on no checkbox. */
  beneath?: string;
} & Partial<Settings>;

/**
 * A field or entry that is asked only while one of these boxes of its record is ticked, or one of these references is set;
 * with `unticked`, none of them. A
 * save clears what is not asked (`withoutUnasked` in shapes.ts). In the schema, the field follows its boxes.
 */
export type Dependence = { boxes: readonly string[]; unticked?: true };

/** The organization's settings for a built-in field, in addition to its label and hint. */
type Settings = {
  /** No screen shows it, and a save keeps its value. Also true for each field of a hidden entry. */
  hidden: boolean;
  /** The first service day on which a value is required; null if the field is optional. */
  requiredFrom: string | null;
};

/**
 * The facts of a field that its schema does not have. `kind` decides the control, the printed text and the column.
 */
export type FieldFacts = Common &
  /** `letters` is the usual length, which the width of its control follows. */
  (
    | { kind: "text"; max: number; mask?: MaskName; unique: boolean; letters?: number }
    | { kind: "longText"; max: number }
    | { kind: "email"; max: number; unique: boolean }
    /** A password or token: never logged, reported, exported or recorded. */
    | { kind: "secret" }
    /** `initial` is the value for "nothing entered", false if it is missing. */
    | { kind: "flag"; initial?: true | undefined }
    /** `YYYY-MM-DD`; the bounds are inclusive. */
    | { kind: "day"; earliest: string; latest: () => string; initial?: () => string }
    | { kind: "minutes" | "whole" | "money"; min: number; max: number }
    /** A number of people or things. `initial` is the value for "nothing entered"; null if that is no number. */
    | { kind: "count"; min: number; max: number; initial: number | null }
    /** One of a fixed set of values. `blank` is the value for "nothing chosen"; null if there is none. */
    | { kind: "choice"; choices: readonly Choice[]; blank: string | null; initial?: string }
    /** Several choices of a custom field. */
    | { kind: "choices"; choices: readonly Choice[] }
    /** The id of a record of `list`. */
    | { kind: "lookup"; list: ListName }
    /** Ids of records of `list`. */
    | { kind: "lookups"; list: ListName; max: number }
    /** The record in a body, or a record nested in it. `objectIn` returns its schema. */
    | { kind: "record" | "entry"; table: Table }
    /** A list of nested records. Each record that the reference `once` names has one row at most. */
    | { kind: "entries"; table: Table; once: string | undefined }
    /** Part of the API but not of any screen: a row's id, its removal, the version that was read. */
    | { kind: "id" | "removal" | "version" }
    /** The values of a record's custom fields. `shapeOf` returns their schemas by key. */
    | { kind: "custom" }
  );

export type FieldKind = FieldFacts["kind"];

/** The schemas of rows in lists of nested records, by table. A registry of facts cannot hold schemas. */
export const rowSchemas = new Map<Table, z.core.$ZodType>();

/**
 * Facts belong to a schema instance. `z.optional()` and similar functions return a new one without them, so register
 * facts last.
 */
export const fieldFacts = z.registry<FieldFacts>();

/** The fields of requests from which fields of responses, whose schemas differ, have their labels. */
export const responseFields = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** Returns the facts of a field as the program declares them, without the organization's settings. */
export const declaredFacts = (schema: z.core.$ZodType): FieldFacts | undefined => fieldFacts.get(schema);

/** The records whose fields the organization can change, by their names in paths. */
const roots = new Map<string, z.core.$ZodType>();

/** Names a record, so that settings can name its fields, such as `form.serviceOn`. */
export function addRoot(name: string, schema: z.core.$ZodType): void {
  roots.set(name, schema);
  overlay = null;
}

/** The facts of the fields that the organization changed, made once for each version of the definitions. */
let overlay: {
  of: Definitions;
  facts: ReadonlyMap<z.core.$ZodType, FieldFacts>;
  fields: WeakMap<z.core.$ZodType, readonly Field[]>;
} | null = null;

function currentOverlay() {
  const of = currentDefinitions();
  if (overlay?.of !== of) overlay = { of, facts: factsWith(of.settings), fields: new WeakMap() };
  return overlay;
}

/** Returns the facts of the fields that the settings change. */
export function factsWith(settings: readonly FieldSetting[]): ReadonlyMap<z.core.$ZodType, FieldFacts> {
  const changed = new Map<z.core.$ZodType, FieldFacts>();
  const change = (schema: z.core.$ZodType, settings: Partial<Settings & Pick<Common, "label" | "hint">>) => {
    const facts = changed.get(schema) ?? declaredFacts(schema);
    if (facts) changed.set(schema, { ...facts, ...settings });
  };
  const hideAll = (schema: z.core.$ZodType) => {
    for (const field of Object.values(declaredShape(schema))) {
      change(field, { hidden: true });
      hideAll(field);
    }
  };
  for (const { path, label, hint, hidden, requiredFrom } of settings) {
    const field = fieldAtPath(path);
    if (!field) continue;
    change(field, {
      ...(label !== null && { label }),
      ...(hint !== null && { hint }),
      ...(hidden && { hidden }),
      requiredFrom,
    });
    if (hidden) hideAll(field);
  }
  return changed;
}

/** Returns the field at a path such as `form.intakeForm.referralSourceId`; undefined if there is none. */
export function fieldAtPath(path: string): z.core.$ZodType | undefined {
  const [root = "", ...names] = path.split(".");
  return names.reduce<z.core.$ZodType | undefined>((record, name) => {
    const shape = declaredShape(record);
    return Object.hasOwn(shape, name) ? shape[name] : undefined;
  }, roots.get(root));
}

/** Returns the facts of a field under the current definitions; undefined if the vocabulary did not make the schema. */
export const factsOf = (schema: z.core.$ZodType): FieldFacts | undefined =>
  currentOverlay().facts.get(schema) ?? declaredFacts(schema);

/** True if the organization hides the field or its section. */
export const isHidden = (schema: z.core.$ZodType): boolean => factsOf(schema)?.hidden === true;

/** True if the boxes that the field depends on are ticked, or unticked, in its record. */
export const isAsked = ({ dependsOn }: FieldFacts, record: Readonly<Record<string, unknown>>): boolean =>
  !dependsOn || dependsOn.boxes.some((box) => isTicked(record[box])) !== (dependsOn.unticked ?? false);

/** True for a ticked box, and for a reference to a record. */
const isTicked = (value: unknown) => value === true || typeof value === "number";

export type RecordFacts = Extract<FieldFacts, { table: Table }>;

/** Returns the facts of a record or nested entry, including its table. */
export function recordFacts(schema: z.core.$ZodType): RecordFacts {
  const facts = factsOf(schema);
  if (!facts || !("table" in facts)) throw new Error("Only a record of the vocabulary has a table");
  return facts;
}

type SchemaType = z.core.$ZodTypes["_zod"]["def"]["type"];
type SchemaOf<Type extends SchemaType> = Extract<z.core.$ZodTypes, { _zod: { def: { type: Type } } }>;

/** True if the schema is of this type. Classes would differ between zod and zod/mini. */
export const isOf = <Type extends SchemaType>(
  schema: z.core.$ZodType,
  type: Type,
): schema is SchemaOf<Type> => schema._zod.def.type === type;

/**
 * Returns the object schema inside optional, nullable, array, preprocess and transform wrappers; null if there is
 * none.
 */
export function objectIn(schema: z.core.$ZodType | null | undefined): z.core.$ZodObject | null {
  if (!schema) return null;
  if (isOf(schema, "object")) return schema;
  if (isOf(schema, "array")) return objectIn(schema._zod.def.element);
  if (isOf(schema, "optional") || isOf(schema, "nullable")) return objectIn(schema._zod.def.innerType);
  if (isOf(schema, "pipe")) return objectIn(schema._zod.def.in) ?? objectIn(schema._zod.def.out);
  return null;
}

/** Returns the fields of the object schema inside the wrappers; none if there is none. */
export const declaredShape = (schema: z.core.$ZodType | null | undefined): z.core.$ZodShape =>
  objectIn(schema)?._zod.def.shape ?? {};

/** The functions that return the schemas of custom fields by key, by the field that holds the values. */
export const customShapes = new WeakMap<z.core.$ZodType, () => z.core.$ZodShape>();
/** The records that hold custom fields, by that field. They have the sections. */
export const customRoots = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/** Returns the fields of a record by name, whether or not they have facts. */
export const shapeOf = (schema: z.core.$ZodType | undefined): z.core.$ZodShape =>
  (schema && customShapes.get(schema)?.()) ?? declaredShape(schema);

export type Field = { name: string; facts: FieldFacts; schema: z.core.$ZodType };

/**
 * Returns the fields of a record, or of the records in a list, in the order of the schema, with their facts under the current
 * definitions; for `custom`, the custom fields in their order.
 */
export function fieldsOf(schema: z.core.$ZodType): readonly Field[] {
  const { fields } = currentOverlay();
  const cached = fields.get(schema);
  if (cached) return cached;
  const result = Object.entries<z.core.$ZodType>(shapeOf(schema)).flatMap(([name, field]): Field[] => {
    const facts = factsOf(field);
    return facts ? [{ name, facts, schema: field }] : [];
  });
  fields.set(schema, result);
  return result;
}

/** True if a field is a nested object or list, which requests name with `…Attributes`. */
export const isNested = (facts: FieldFacts | undefined) =>
  facts?.kind === "entry" || facts?.kind === "entries";

/** Returns the name of a field in a request. */
export const wireName = (name: string, facts: FieldFacts | undefined) =>
  isNested(facts) ? name + WIRE_SUFFIX : name;

/** Returns the schema of a field; undefined if the record has no field of that name. */
export function fieldIn(schema: z.core.$ZodType | undefined, name: string): z.core.$ZodType | undefined {
  const shape = shapeOf(schema);
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

/** Returns the label of a field of the record; "" if it has no field of that name. */
export const labelIn = (record: z.core.$ZodType, name: string): string =>
  fieldsOf(record).find((field) => field.name === name)?.facts.label ?? "";

/**
 * Returns the field that names a row of a list, such as the service code: the first one that refers to another record.
 */
export const rowNameField = (rows: z.core.$ZodType): Field | undefined =>
  fieldsOf(rows).find(({ facts }) => facts.kind === "lookup");

/**
 * Yields each segment of a path (`form.serviceEntry.serviceProvidedEntries.0.minutes`, with or without `…Attributes`)
 * with its schema, which is undefined from the first unknown segment on. At an index, it is the schema of the list.
 */
export function* schemasAlong(root: z.core.$ZodType, path: readonly string[]) {
  let schema: z.core.$ZodType | undefined = root;
  for (const name of path) {
    if (!/^\d+$/.test(name)) schema = fieldIn(schema, plainName(name));
    yield { name, schema, facts: schema && factsOf(schema) };
  }
}
