import type * as z from "zod/mini";
import { changesOf } from "@/lib/audit/changes";
import type { Client } from "@/lib/clients/api-schema";
import { type ClientInput, clientSchema } from "@/lib/clients/schema";
import { fieldsOf, schemasAlong } from "@/lib/core/fields/facts";
import { isRecord } from "@/lib/core/objects";

// The values of the remaining client after a merge is undone.

const changes = (from: Client, to: Client) => changesOf(clientSchema, from, to, "client");

/**
 * Returns the paths of fields changed since a merge, and the labels of those that the merge had changed too.
 */
export function changedSince(
  before: Client,
  after: Client,
  now: Client,
): { fields: ReadonlySet<string>; labels: string[] } {
  const fields = new Set(changes(after, now).map(({ field }) => field));
  const changedTwice = changes(before, after).filter(({ field }) => fields.has(field));
  const labelOf = (field: string) =>
    [...schemasAlong(clientSchema, field.split(".").slice(1))].map(({ facts }) => facts?.label).join(": ");
  return { fields, labels: changedTwice.map(({ field }) => labelOf(field)) };
}

/**
 * Returns the client as before the merge, except for the fields `changed` since, which keep their current values.
 */
export const valuesBefore = (before: Client, now: Client, changed: ReadonlySet<string>): ClientInput =>
  clientSchema.parse({
    ...choose(clientSchema, "client", before, now, changed),
    lockVersion: now.lockVersion,
  });

/** Returns a client's values without ids and versions, for a new record. */
export const valuesOf = (client: Client): ClientInput =>
  clientSchema.parse(choose(clientSchema, "client", client, client, new Set()));

type Values = Readonly<Record<string, unknown>>;

/** Returns the values of `before`, or of `now` where the path is in `changed`, without ids and versions. */
function choose(
  schema: z.core.$ZodType,
  path: string,
  before: Values,
  now: Values,
  changed: ReadonlySet<string>,
): Values {
  return Object.fromEntries(
    fieldsOf(schema).flatMap(({ name, facts, schema: field }): [string, unknown][] => {
      const at = `${path}.${name}`;
      const oldValue = before[name];
      const newValue = now[name];
      if (facts.kind === "id" || facts.kind === "removal" || facts.kind === "version") return [];
      // A blank value of a custom field is not stored, so a missing one is restored as blank.
      if (facts.kind === "custom")
        return [
          [
            name,
            Object.fromEntries(
              fieldsOf(field).map(({ name: key }) => {
                const values = changed.has(`${at}.${key}`) ? newValue : oldValue;
                return [key, (isRecord(values) ? values[key] : null) ?? null];
              }),
            ),
          ],
        ];
      if (facts.kind !== "entry") return [[name, changed.has(at) ? newValue : oldValue]];
      // A part that only one of the two has is restored or removed as a whole.
      if (isRecord(oldValue) && isRecord(newValue))
        return [[name, choose(field, at, oldValue, newValue, changed)]];
      const isChanged = [...changed].some((other) => other.startsWith(`${at}.`));
      const whole = isChanged ? newValue : oldValue;
      return [[name, isRecord(whole) ? choose(field, at, whole, whole, changed) : null]];
    }),
  );
}
