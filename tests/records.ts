import { expect } from "vitest";
import { rows } from "@/lib/core/database/client";
import { identifier, sql } from "@/lib/core/database/sql";
import { fieldsOf } from "@/lib/core/fields/facts";
import type { RecordItem } from "@/lib/records/api-schema";
import { type RecordKey, records } from "@/lib/records/registry";
import { call } from "@/tests/call";
import type { Person } from "@/tests/factories";

// Declared records for tests, made from their declarations.

/** Returns the ids of the first two records of a list. */
export async function itemsOf(list: string): Promise<[number, number]> {
  const items = await rows<{ id: number }>(sql`SELECT id FROM ${identifier(list)} ORDER BY id LIMIT 2`);
  const [first = { id: 0 }, second = first] = items;
  return [first.id, second.id];
}

/** Returns values for every field of a record; `other` chooses different ones. Its day is 2026-02-03, or the day after. */
export async function valuesFor(key: RecordKey, other = false): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const { name, facts } of fieldsOf(records[key].schema)) {
    if (facts.kind === "day") values[name] = other ? "2026-02-04" : "2026-02-03";
    else if (facts.kind === "lookup") values[name] = (await itemsOf(facts.list))[other ? 1 : 0];
    else if (facts.kind === "minutes") values[name] = other ? 75 : 45;
    else if (facts.kind === "count" || facts.kind === "whole") values[name] = other ? 3 : 2;
    else if (facts.kind === "flag") values[name] = !other;
    else if (facts.kind === "choice") values[name] = facts.choices[other ? 1 : 0]?.value;
    else if (facts.kind === "text" || facts.kind === "longText")
      values[name] = other ? "Later words" : "First words";
  }
  return values;
}

/** Creates a record of the owner. */
export async function makeRecord(
  owner: Person,
  key: RecordKey,
  values: Record<string, unknown> = {},
): Promise<RecordItem> {
  const { entity } = records[key];
  const body = { [entity]: { ...(await valuesFor(key)), ...values } };
  const created = await call(owner.cookie, "POST", `/api/${key}`, body);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body[entity];
}
