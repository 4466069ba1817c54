import type { z } from "zod";
import { fieldsOf } from "@/lib/fields/facts";
import { isRecord } from "@/lib/fields/plain";

/** One field of a record that changed. `field` is its path on the wire without "Attributes": `form.serviceOn`. */
export type Change = { field: string; from: unknown; to: unknown };

type Values = Readonly<Record<string, unknown>> | null;

const recordIn = (value: unknown): Values => (isRecord(value) ? value : null);
const rowsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

const isBlank = (value: unknown) =>
  value === null ||
  value === "" ||
  value === false ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0);

/**
 * What differs between two states of a record, field by field: `before` null when it is made, `after` null when it is
 * removed, and then only what is filled in. What `after` leaves out stays as it is. Secrets are named without a value.
 */
export function changesOf(schema: z.core.$ZodType, before: Values, after: Values, path: string): Change[] {
  return fieldsOf(schema).flatMap(({ name, facts, schema: field }): Change[] => {
    const at = `${path}.${name}`;
    const from = before?.[name] ?? null;
    const sent = after?.[name];
    const to = sent === undefined && after && before ? from : (sent ?? null);
    switch (facts.kind) {
      case "id":
      case "removal":
      case "version":
        return [];
      case "entry":
        return changesOf(field, recordIn(from), recordIn(to), at);
      case "entries":
        return changedRows(field, rowsIn(from), rowsIn(to), at);
      default: {
        if (JSON.stringify(from) === JSON.stringify(to) || (isBlank(from) && isBlank(to))) return [];
        return [{ field: at, ...(facts.kind === "secret" ? { from: null, to: null } : { from, to }) }];
      }
    }
  });
}

/** Rows are the same by their id; the number in a path is a row's place, of a row that went its former one. */
function changedRows(
  schema: z.core.$ZodType,
  before: Record<string, unknown>[],
  after: Record<string, unknown>[],
  path: string,
): Change[] {
  const kept = new Set(after.map(({ id }) => id));
  return [
    ...before.flatMap((row, place) =>
      kept.has(row.id) ? [] : changesOf(schema, row, null, `${path}.${place}`),
    ),
    ...after.flatMap((row, place) => {
      const known = row.id === undefined ? undefined : before.find(({ id }) => id === row.id);
      return changesOf(schema, known ?? null, row, `${path}.${place}`);
    }),
  ];
}
