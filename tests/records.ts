import { expect } from "vitest";
import * as z from "zod/mini";
import { rows } from "@/lib/core/database/client";
import { fieldsOf } from "@/lib/core/fields/facts";
import { withoutUnasked } from "@/lib/core/fields/shapes";
import { toWire } from "@/lib/core/fields/wire";
import type { RecordDeclaration } from "@/lib/core/records/declaration";
import { identifier, sql } from "@/lib/core/sql";
import type { RecordItem } from "@/lib/declared-records/api-schema";
import { type LookupKey, lookupKeys, lookups } from "@/lib/lookups/registry";
import { type RecordKey, recordKeys, records } from "@/lib/records/registry";
import { stays } from "@/lib/shelter/record";
import { call } from "@/tests/call";
import { makeClient, makeUser, type Person } from "@/tests/factories";

// Declared records for tests, made from their declarations.

/** Every kind of record: those of the registry, and stays, whose calls are their own. */
export const kinds: Readonly<Record<Kind, RecordDeclaration>> = { ...records, stays };
export const kindKeys = [...recordKeys, "stays"] as const;
export type Kind = RecordKey | "stays";

/** Returns the ids of the first two records of a list. Creates those that a settings list lacks, but no accounts. */
export async function itemsOf(list: string): Promise<[number, number]> {
  const read = () => rows<{ id: number }>(sql`SELECT id FROM ${identifier(list)} ORDER BY id LIMIT 2`);
  const settings = lookupKeys.find((key) => key === list && key !== "users");
  for (let { length } = await read(); settings && length < 2; length++)
    await makeItem(settings, { other: length === 1, userId: undefined, number: length });
  const [first, second = first] = await read();
  if (!first || !second) throw new Error(`${list} has no record`);
  return [first.id, second.id];
}

async function makeItem(list: LookupKey, chosen: Chosen): Promise<void> {
  const { schema, permission, singular } = lookups[list];
  const { cookie } = await makeUser([permission]);
  const item = await valuesOf(schema, chosen);
  const { status, body } = await call(cookie, "POST", `/api/${list}`, { [singular]: item });
  expect(status, JSON.stringify(body)).toBe(201);
}

/**
 * Returns values for every field of a record; `other` chooses different ones. Its days are 2026-02-03, or the day after with
 * smaller numbers, so that an order by numbers is not the order by days. A stay has an exit destination only with `other`, and no client.
 * Rows name the user, or another one if there is none.
 */
export async function valuesFor(key: Kind, other = false, userId?: number): Promise<Record<string, unknown>> {
  const values = await valuesOf(kinds[key].schema, { other, userId, number: other ? 12 : 13 });
  if (key === "stays" && !other) values.exitDestinationId = null;
  return withoutUnasked(kinds[key].schema, values);
}

type Chosen = { other: boolean; userId: number | undefined; number: number };

async function valuesOf(schema: z.core.$ZodType, chosen: Chosen): Promise<Record<string, unknown>> {
  const { other, userId, number } = chosen;
  const values: Record<string, unknown> = {};
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    if (facts.kind === "day") values[name] = other ? "2026-02-04" : "2026-02-03";
    else if (!facts.entered) continue;
    else if (facts.kind === "lookup" && facts.list === "users" && userId) values[name] = userId;
    else if (facts.kind === "entries")
      values[name] = [await valuesOf(field, { ...chosen, number: other ? 2 : 3 })];
    else if (facts.kind === "lookup") values[name] = (await itemsOf(facts.list))[other ? 1 : 0];
    else if (facts.kind === "minutes") values[name] = other ? 45 : 75;
    else if (facts.kind === "count" || facts.kind === "whole") values[name] = number;
    else if (facts.kind === "flag") values[name] = !other;
    else if (facts.kind === "choice") values[name] = facts.choices[other ? 1 : 0]?.value;
    else if (facts.kind === "text" || facts.kind === "longText")
      values[name] = other ? "Later words" : "First words";
  }
  return values;
}

/** Returns the body of a record. */
export const bodyOf = (key: Kind, values: object) => ({
  [kinds[key].entity]: { ...toWire(z.object(kinds[key].schema.shape), { ...values }) },
});

/** Returns what a new record needs besides its fields: a stay has a client. */
export const besidesFields = async (key: Kind, owner: Person): Promise<{ clientId?: number }> =>
  key === "stays" ? { clientId: (await makeClient(owner)).id } : {};

/** Creates a record of the owner. */
export async function makeRecord(
  owner: Person,
  key: Kind,
  values: Record<string, unknown> = {},
): Promise<RecordItem> {
  const { entity } = kinds[key];
  const sent = {
    ...(await besidesFields(key, owner)),
    ...(await valuesFor(key, false, owner.id)),
    ...values,
  };
  const created = await call(owner.cookie, "POST", `/api/${key}`, bodyOf(key, sent));
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body[entity];
}
