import "server-only";
import * as z from "zod/mini";
import { type Hiding, remainingClientsWhere } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { invalidFields } from "@/lib/core/errors";
import { fieldsOf, isNested, type ListName } from "@/lib/core/fields/facts";
import { problemsOnWire } from "@/lib/core/fields/problems";
import { isRecord } from "@/lib/core/objects";
import { constant, identifier, join, type Sql, sql } from "@/lib/core/sql";

/** A reference to a record; `problem` is the message if the record does not exist. */
type Reference = { path: string; table: ListName; id: number; problem: string };

/** Yields the references in `value`, according to the facts of its schema. */
export function* referencesOf(schema: z.core.$ZodType, value: unknown, path: string): Generator<Reference> {
  if (Array.isArray(value)) {
    for (const [index, row] of value.entries()) yield* referencesOf(schema, row, `${path}.${index}`);
  } else if (isRecord(value)) {
    for (const { name, facts, schema: field } of fieldsOf(schema)) {
      const inner = value[name];
      const at = `${path}.${name}`;
      if (isNested(facts)) yield* referencesOf(field, inner, at);
      else if ("list" in facts) {
        const problem = facts.kind === "lookup" ? "does not exist" : "must be chosen from the list";
        for (const id of [inner].flat())
          if (typeof id === "number") yield { path: at, table: facts.list, id, problem };
      }
    }
  }
}

const tablesOf = (schema: z.core.$ZodType): ListName[] =>
  fieldsOf(schema).flatMap(({ facts, schema: field }) =>
    isNested(facts) ? tablesOf(field) : "list" in facts ? [facts.list] : [],
  );

/**
 * Returns SQL for a JSON list with the "table id" of each of a record's references that exists for the actor; a purged
 * client does not. The text always names every table of the schema. PostgreSQL plans each new text, which takes longer
 * than an empty lookup.
 */
export function existingSql(actor: Hiding, schema: z.core.$ZodType, references: readonly Reference[]): Sql {
  const selects = [...new Set(tablesOf(schema))].map((table) => {
    const ids = references.filter((reference) => reference.table === table).map(({ id }) => id);
    const exists = table === "clients" ? remainingClientsWhere(actor) : sql`TRUE`;
    return sql`SELECT ${constant(`${table} `)} || c.id AS known FROM ${identifier(table)} c
      WHERE c.id = ANY(${ids}::int[]) AND ${exists}`;
  });
  return selects.length === 0
    ? sql`'[]'::json`
    : sql`(SELECT json_agg(known) FROM (${join(selects, " UNION ALL ")}) AS selects)`;
}

/** Returns problems by plain path: the references that are not in `known`. */
export function missingReferences(references: Iterable<Reference>, known: readonly string[] | null) {
  const existing = new Set(known);
  const missing = [...references].filter(({ table, id }) => !existing.has(`${table} ${id}`));
  return Object.fromEntries(missing.map(({ path, problem }) => [path, problem]));
}

/** Throws 422 with each field for the references of a record (the body's `root`) that do not exist. */
export async function checkReferences(
  query: Query,
  actor: Hiding,
  schema: z.core.$ZodType,
  root: string,
  value: unknown,
): Promise<void> {
  const references = [...referencesOf(schema, value, root)];
  if (references.length === 0) return;
  const [row] = await query<{ known: string[] | null }>(
    sql`SELECT ${existingSql(actor, schema, references)} AS known`,
  );
  const problems = missingReferences(references, row?.known ?? null);
  if (Object.keys(problems).length > 0)
    throw invalidFields(problemsOnWire(z.object({ [root]: schema }), problems));
}
