import "server-only";
import { z } from "zod";
import { isNested, isRecord } from "@/lib/fields/wire";

/**
 * Reading and writing a record with its nested entries, derived from the record's schema: the schema's keys are
 * the columns, its nested objects the relations (lib/wire names them). One way for clients and forms.
 */
type Values = Record<string, unknown>;

/** Ids of a many-to-many list, and the relation that stores them. */
const ID_LISTS: Record<string, { relation: string; column: string }> = {
  secondaryVictimizationIds: { relation: "secondaryVictimizations", column: "secondaryVictimizationId" },
};
const NOT_STORED = new Set(["_destroy", "lockVersion"]);
const DATES = new Set(["serviceOn", "dateOfBirth", "emergencyVisitOn", "createdOn"]);

/** The object schema inside optional, nullable, list and transforming wrappers. */
function objectIn(schema: unknown): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodArray) return objectIn(schema.element);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return objectIn(schema.unwrap());
  if (schema instanceof z.ZodPipe) return objectIn(schema.in);
  throw new Error("A nested entry must be an object schema");
}

/** The Prisma `select` that reads what the schema describes. */
export function selectOf(schema: z.ZodObject): Values {
  const select: Values = { id: true };
  for (const [key, inner] of Object.entries(schema.shape)) {
    const list = ID_LISTS[key];
    if (list) select[list.relation] = { select: { [list.column]: true } };
    else if (isNested(key)) select[key] = { select: selectOf(objectIn(inner)) };
    else if (!NOT_STORED.has(key)) select[key] = true;
  }
  return select;
}

const isoDay = (value: Date) => value.toISOString().slice(0, 10);

/** A row read with `selectOf` as the schema's own shape: dates as `YYYY-MM-DD`, lists of ids, rows in order of id. */
export function plainOf(row: unknown): unknown {
  if (Array.isArray(row)) {
    return row.map(plainOf).sort((a, b) => (a as { id: number }).id - (b as { id: number }).id);
  }
  if (row instanceof Date) return isoDay(row);
  if (!isRecord(row)) return row;
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => {
      const list = Object.entries(ID_LISTS).find(([, { relation }]) => relation === key);
      if (!list) return [key, plainOf(value)];
      const [name, { column }] = list;
      const ids = (value as Record<string, number>[]).map((link) => link[column] as number);
      return [name, ids.sort((a, b) => a - b)];
    }),
  );
}

/**
 * The stored values with the sent ones over them (contract §1): a nested object left out stays, null removes it,
 * an object replaces it; a list is the whole new list. `problems` collects ids of other parents by path.
 */
export function merge(
  stored: Values | null,
  sent: Values,
  path: string,
  problems: Record<string, string>,
): Values {
  const merged: Values = { ...stored };
  if (sent.id !== undefined && sent.id !== stored?.id) problems[`${path}.id`] = "belongs to another record";
  for (const [key, value] of Object.entries(sent)) {
    if (value === undefined || key === "id") continue;
    const before = stored?.[key];
    const at = `${path}.${key}`;
    if (Array.isArray(value) && isNested(key))
      merged[key] = mergeRows((before ?? []) as Values[], value, at, problems);
    else if (isNested(key) && isRecord(value))
      merged[key] = merge(isRecord(before) ? before : null, value, at, problems);
    else merged[key] = value;
  }
  return merged;
}

function mergeRows(
  stored: Values[],
  sent: Values[],
  path: string,
  problems: Record<string, string>,
): Values[] {
  const claimed = new Set<unknown>();
  return sent.map((row, index) => {
    const before = row.id === undefined ? null : (stored.find(({ id }) => id === row.id) ?? null);
    if (before && claimed.has(row.id)) problems[`${path}.${index}.id`] = "is given twice";
    claimed.add(row.id);
    return merge(before, row, `${path}.${index}`, problems);
  });
}

const columnValue = (key: string, value: unknown) =>
  DATES.has(key) && typeof value === "string" ? new Date(`${value}T00:00:00Z`) : value;

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Prisma's nested write from the stored values to the next ones: only what differs, so that unchanged entries
 * keep their ids and cost no statement. `schema` says what may be written; anything else in `next` is not.
 */
export function writeOf(schema: z.ZodObject, next: Values, stored: Values | null): Values {
  const data: Values = {};
  for (const [key, inner] of Object.entries(schema.shape)) {
    if (key === "id" || NOT_STORED.has(key) || next[key] === undefined) continue;
    const [after, before] = [next[key], stored?.[key] ?? null];
    if (same(after, before)) continue;
    const list = ID_LISTS[key];
    if (list) data[list.relation] = { ...(stored && { deleteMany: {} }), create: links(after, list.column) };
    else if (!isNested(key)) data[key] = columnValue(key, after);
    else if (Array.isArray(after)) data[key] = writeRows(objectIn(inner), after, (before ?? []) as Values[]);
    else if (isRecord(after)) data[key] = writeOne(objectIn(inner), after, before as Values | null);
    else if (before !== null) data[key] = { delete: true };
  }
  return data;
}

const links = (ids: unknown, column: string) => (ids as number[]).map((id) => ({ [column]: id }));

const writeOne = (schema: z.ZodObject, next: Values, stored: Values | null) =>
  stored ? { update: writeOf(schema, next, stored) } : { create: writeOf(schema, next, null) };

function writeRows(schema: z.ZodObject, next: Values[], stored: Values[]): Values {
  const kept = new Set(next.map(({ id }) => id));
  const gone = stored.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  const changed = next.flatMap((row) => {
    const before = stored.find(({ id }) => id === row.id);
    const data = before ? writeOf(schema, row, before) : {};
    return Object.keys(data).length > 0 ? [{ where: { id: row.id }, data }] : [];
  });
  const added = next.filter(({ id }) => id === undefined).map((row) => writeOf(schema, row, null));
  return {
    ...(gone.length > 0 && { deleteMany: { id: { in: gone } } }),
    ...(changed.length > 0 && { update: changed }),
    ...(added.length > 0 && { create: added }),
  };
}
