import * as z from "zod/mini";
import { dayFilter, filter, idFilter, type ListQuery, listQuery } from "@/lib/core/api/list-query";
import { namedItem, person } from "@/lib/core/api/response";
import { type Field, fieldsOf } from "@/lib/core/fields/facts";
import { responseOf } from "@/lib/core/fields/responses";
import { id } from "@/lib/core/fields/validation";
import { optionalInPut } from "@/lib/core/fields/vocabulary";
import { wireBody } from "@/lib/core/fields/wire";
import { itemName, namedFields, type RecordDeclaration } from "@/lib/core/records/declaration";

// The bodies, responses, and queries of a declared record.

/** The fields of a record as sent or stored. */
export type RecordValues = Record<string, unknown>;

/** The body of a record, and with the keys `more`. */
type Body = z.core.$ZodType<Record<string, RecordValues>>;

function bodyOf(
  { entity, schema }: RecordDeclaration,
  isOptional: (field: Field) => boolean,
  more: z.core.$ZodShape,
): Body {
  const changed = fieldsOf(schema).filter(isOptional);
  const optional = Object.fromEntries(changed.map(({ name, schema: field }) => [name, optionalInPut(field)]));
  return wireBody(z.object({ [entity]: z.extend(schema, { ...optional, ...more }) }));
}

/** Returns the body of `POST`, with keys besides the fields. Without a day, a new record is today's. */
export const createBody = (declaration: RecordDeclaration, more: z.core.$ZodShape = {}): Body =>
  bodyOf(declaration, ({ name }) => name === declaration.day, more);

/** Returns the body of `PUT`, with keys besides the fields. An omitted field keeps its value. */
export const updateBody = (declaration: RecordDeclaration, more: z.core.$ZodShape = {}): Body =>
  bodyOf(declaration, ({ facts }) => facts.kind !== "version", more);

const always = { id: id(), lockVersion: z.int(), userId: id(), user: person };

/** A record as returned: its fields, the records of lists that it names, and its advocate. */
export type RecordItem = z.output<z.ZodMiniObject<typeof always>> & Record<string, unknown>;

/** A record with the types of the fields in its schema. */
export type RecordOf<Schema> =
  Schema extends z.ZodMiniObject<infer S> ? RecordItem & z.output<ReturnType<typeof responseOf<S>>> : never;

/** Returns the schema of a record in responses, with keys besides its fields. */
export function recordResponse(
  declaration: RecordDeclaration,
  more: z.core.$ZodShape = {},
): z.core.$ZodType<RecordItem> {
  const fields: z.core.$ZodShape = responseOf(declaration.schema).shape;
  const items: z.core.$ZodShape = Object.fromEntries(
    namedFields(declaration).map(({ name, facts }) => [
      itemName(name),
      facts.required ? namedItem : z.nullable(namedItem),
    ]),
  );
  return z.object({ ...fields, ...items, ...more, ...always });
}

export type RecordListQuery = ListQuery<Record<string, string | number | null>>;

/** Returns the query of a record's list; `from` and `to` are inclusive days. */
export function recordQuery({
  schema,
  columns,
  filters,
  day,
}: RecordDeclaration): z.core.$ZodType<RecordListQuery> {
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
