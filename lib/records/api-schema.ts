import { z } from "zod/mini";
import { FILE_TYPES } from "@/lib/core/api/list-file";
import { dayFilter, filter, idFilter, type ListQuery, listQuery } from "@/lib/core/api/list-query";
import { namedItem, person } from "@/lib/core/api/response";
import { byKey, keysOf } from "@/lib/core/fields/by-key";
import { type Field, fieldsOf } from "@/lib/core/fields/facts";
import { responseOf } from "@/lib/core/fields/responses";
import { id } from "@/lib/core/fields/validation";
import { optionalInPut } from "@/lib/core/fields/vocabulary";
import { itemName } from "@/lib/core/records/declaration";
import { type RecordKey, recordKeys, records } from "@/lib/records/registry";

// The bodies, responses, and queries of declared records.

/** The path parameter that names a kind of record. */
export const recordParams = z.object({ records: z.enum(recordKeys) });

/** The fields of a record as sent or stored. */
export type RecordValues = Record<string, unknown>;

const extended = (key: RecordKey, isOptional: (field: Field) => boolean) => {
  const { entity, schema } = records[key];
  const changed = fieldsOf(schema).filter(isOptional);
  const optional = Object.fromEntries(changed.map(({ name, schema: field }) => [name, optionalInPut(field)]));
  return z.object({ [entity]: z.extend(schema, optional) });
};

/** The body of `POST`. Without a day, a new record is today's. */
export const createBody = (key: RecordKey): z.core.$ZodType<Record<string, RecordValues>> =>
  extended(key, ({ name }) => name === records[key].day);

/** The body of `PUT`. An omitted field keeps its value. */
export const updateBody = (key: RecordKey): z.core.$ZodType<Record<string, RecordValues>> =>
  extended(key, ({ facts }) => facts.kind !== "version");

const always = { id: id(), lockVersion: z.int(), userId: id(), user: person };

/** A record as returned: its fields, the records of lists that they refer to, and its advocate. */
export type RecordItem = z.output<z.ZodMiniObject<typeof always>> & Record<string, unknown>;

export function recordResponse(key: RecordKey): z.core.$ZodType<RecordItem> {
  const { schema } = records[key];
  const fields: z.core.$ZodShape = responseOf(schema).shape;
  const items = fieldsOf(schema).flatMap(({ name, facts }) =>
    facts.kind === "lookup"
      ? [[itemName(name), facts.required ? namedItem : z.nullable(namedItem)] as const]
      : [],
  );
  const shown: z.core.$ZodShape = Object.fromEntries(items);
  return z.object({ ...fields, ...shown, ...always });
}

export type RecordListQuery = ListQuery<Record<string, string | number | null>>;

/** The query of a record's list; `from` and `to` are inclusive days. */
export function recordQuery(key: RecordKey): z.core.$ZodType<RecordListQuery> {
  const { schema, columns, filters, day } = records[key];
  const filterOf = (name: string) => {
    const facts = fieldsOf(schema).find((field) => field.name === name)?.facts;
    if (facts?.kind !== "choice") return idFilter();
    const values = facts.choices.map(({ value }) => String(value));
    return filter(z.enum(values, { error: "is not one of the choices" }));
  };
  return listQuery(
    [...columns.map(itemName), "advocate"],
    {
      userId: idFilter(),
      ...Object.fromEntries(filters.map((name) => [name, filterOf(name)])),
      from: dayFilter(),
      to: dayFilter(),
    },
    { sort: itemName(day), order: "desc" },
  ).check(
    z.refine(({ filters: { from, to } }) => !from || !to || from <= to, {
      path: ["filters", "to"],
      error: "must not be before From",
    }),
  );
}

/** The list and format of each file: `activities.csv`. */
export const recordFiles = byKey(
  recordKeys.flatMap((list) => keysOf(FILE_TYPES).map((format) => `${list}.${format}` as const)),
  (name) => ({ list: keyIn(recordKeys, name), format: keyIn(keysOf(FILE_TYPES), name) }),
);

function keyIn<Key extends string>(keys: readonly Key[], name: string): Key {
  const key = keys.find((key) => name.split(".").includes(key));
  if (!key) throw new Error(`${name} is no file of a list`);
  return key;
}
