import { z } from "zod/mini";
import { FILE_TYPES, type FileFormat } from "@/lib/core/api/list-file";
import { dayFilter, filter, idFilter, type ListQuery, listQuery } from "@/lib/core/api/list-query";
import { namedItem, person } from "@/lib/core/api/response";
import { byKey, keysOf } from "@/lib/core/fields/by-key";
import { factsOf, fieldsOf } from "@/lib/core/fields/facts";
import { responseOf } from "@/lib/core/fields/responses";
import { id } from "@/lib/core/fields/validation";
import { optionalInPut } from "@/lib/core/fields/vocabulary";
import { itemName } from "@/lib/core/records/declaration";
import { type RecordKey, recordKeys, records } from "@/lib/records/registry";

// The bodies, responses, and queries of declared records.

/** The fields of a record as sent or stored. */
export type RecordValues = Record<string, unknown> & { lockVersion?: number | undefined };

/** A record as returned: its fields, the records of lists that they refer to, and its advocate. */
export type RecordItem = Record<string, unknown> & {
  id: number;
  lockVersion: number;
  userId: number;
  user: z.output<typeof person>;
};

/** The path parameter that names a kind of record. */
export const recordParams = z.object({ records: z.enum(recordKeys) });

type Fields = z.core.$ZodType<RecordValues, RecordValues>;

const fieldsAs = (key: RecordKey, optional: (name: string, isVersion: boolean) => boolean): Fields => {
  const { schema } = records[key];
  const changed = fieldsOf(schema).flatMap(({ name, facts, schema: field }) =>
    optional(name, facts.kind === "version") ? [[name, optionalInPut(field)]] : [],
  );
  return z.extend(schema, Object.fromEntries(changed)) as unknown as Fields;
};

/** The body of `POST`. Without a day, a new record is today's. */
export const createBody = (key: RecordKey): z.ZodMiniObject<{ [entity: string]: Fields }> =>
  z.object({ [records[key].entity]: fieldsAs(key, (name) => name === records[key].day) });

/** The body of `PUT`. An omitted field keeps its value. */
export const updateBody = (key: RecordKey): z.ZodMiniObject<{ [entity: string]: Fields }> =>
  z.object({ [records[key].entity]: fieldsAs(key, (_, isVersion) => !isVersion) });

/** A record as returned (`RecordItem`). */
export function recordResponse(key: RecordKey): z.core.$ZodType<RecordItem> {
  const { schema } = records[key];
  const items = fieldsOf(schema).flatMap(({ name, facts }) =>
    facts.kind === "lookup" ? [[itemName(name), facts.required ? namedItem : z.nullable(namedItem)]] : [],
  );
  const response = z.extend(responseOf(schema), { ...Object.fromEntries(items), userId: id(), user: person });
  return response as unknown as z.core.$ZodType<RecordItem>;
}

export type RecordListQuery = ListQuery<Record<string, string | number | null>>;

/** The query of a record's list; `from` and `to` are inclusive days. */
export function recordQuery(key: RecordKey): z.core.$ZodType<RecordListQuery> {
  const { schema, columns, filters, day } = records[key];
  const filterOf = (name: string) => {
    const facts = factsOf(schema.shape[name] as z.core.$ZodType);
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

/** The files of the lists, by their names. */
export const recordFiles = byKey(
  recordKeys.flatMap((list) => keysOf(FILE_TYPES).map((format) => `${list}.${format}` as const)),
  (name) => {
    const [list, format] = name.split(".") as [RecordKey, FileFormat];
    return { list, format };
  },
);
