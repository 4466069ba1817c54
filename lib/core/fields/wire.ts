import * as z from "zod/mini";
import { factsOf, fieldIn, schemasAlong, shapeOf, wireName } from "@/lib/core/fields/facts";
import { plainName } from "@/lib/core/fields/wire-names";
import { isRecord } from "@/lib/core/objects";

// The only codec of nested objects: returned under their plain names, accepted under `…Attributes`.

/**
 * Converts a request body to plain names. A nested object sent without the suffix is dropped like any unknown key.
 */
export function fromWire(schema: z.core.$ZodType, body: unknown): unknown {
  if (Array.isArray(body)) return body.map((row) => fromWire(schema, row));
  if (!isRecord(body) || factsOf(schema)?.kind === "custom") return body;
  const shape = shapeOf(schema);
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    const name = plainName(key);
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field && wireName(name, factsOf(field)) === key) plain[name] = fromWire(field, value);
  }
  return plain;
}

declare const SCHEMA: unique symbol;
/** A record as a request body. Only `toWire` creates it, so its fields match the schema. */
type OnWire<Schema> = { readonly [SCHEMA]: Schema };

/** Converts a record's values from plain names to a request body. Keys that are not fields do not change. */
export const toWire = <Schema extends z.ZodMiniObject>(
  schema: Schema,
  values: z.input<Schema>,
): OnWire<Schema> => wireNamed(schema, values) as OnWire<Schema>;

function wireNamed(schema: z.core.$ZodType, values: unknown): unknown {
  if (Array.isArray(values)) return values.map((row) => wireNamed(schema, row));
  if (!isRecord(values)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = fieldIn(schema, name);
      return [wireName(name, field && factsOf(field)), field ? wireNamed(field, value) : value];
    }),
  );
}

type WireBody<Shape extends z.core.$ZodLooseShape> = z.ZodMiniType<
  z.output<z.ZodMiniObject<Shape>>,
  { [Name in keyof Shape]: OnWire<Shape[Name]> }
>;

/**
 * Returns the schema of a request body. `prepare` may change the body, under plain names, before validation.
 */
export function wireBody<Shape extends z.core.$ZodLooseShape>(
  schema: z.ZodMiniObject<Shape>,
  prepare: (body: unknown) => unknown = (body) => body,
): WireBody<Shape> {
  const plain = z.transform((body: unknown) => prepare(fromWire(schema, body)));
  return z.pipe(plain, schema) as unknown as WireBody<Shape>;
}

/** `form.intakeForm.referralSourceId` → `form.intakeFormAttributes.referralSourceId`, the caller's path. */
export const wirePath = (schema: z.core.$ZodType, path: readonly string[]): string =>
  [...schemasAlong(schema, path)]
    .map(({ name, facts }) => (/^\d+$/.test(name) ? name : wireName(name, facts)))
    .join(".");
