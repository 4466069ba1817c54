import * as z from "zod/mini";
import type { Endpoint } from "@/lib/core/api/endpoint";
import {
  type Choice,
  declaredShape,
  type Field,
  type FieldFacts,
  factsOf,
  fieldsOf,
  isNested,
  isOf,
  objectIn,
  responseFields,
  wireName,
} from "@/lib/core/fields/facts";
import { singular } from "@/lib/core/fields/tables";

// The schemas of endpoints as JSON Schema 2020-12, which OpenAPI 3.1 uses. Fields have their labels, and nested records
// have their names on the wire. Each record that several responses share is one component.

export type JsonSchema = {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  writeOnly?: boolean;
  default?: unknown;
};

const COMPONENTS = "#/components/schemas/";
/** Returns the name of the component that a reference points to. */
export const componentOf = ({ $ref = "" }: JsonSchema): string => $ref.slice(COMPONENTS.length);

const pascal = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Returns the records of a body or response by their keys: `{"form": …}` → `form` with its schema. */
const recordsIn = (schema: z.core.$ZodType | null | undefined) => Object.entries(declaredShape(schema));

/** Of two records under the same key, the one in more responses comes first and gets the name. */
function mostUsedFirst<Entry extends readonly [string, z.core.$ZodType]>(entries: readonly Entry[]): Entry[] {
  const uses = new Map<z.core.$ZodType, number>();
  for (const [, schema] of entries) uses.set(schema, (uses.get(schema) ?? 0) + 1);
  return [...entries].sort(([, a], [, b]) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0));
}

/**
 * Names the records in responses and bodies after their keys: `{"form": …}` is `Form`, `{"forms": […]}` contains
 * `FormItem` if its rows are not whole forms, and a form in a request is `FormInput`.
 */
function namesOf(endpoints: readonly Endpoint[]): z.core.$ZodRegistry<{ id: string }> {
  const names = z.registry<{ id: string }>();
  const usedIds = new Set<string>();
  const name = (schema: z.core.$ZodType, id: string) => {
    if (!isOf(schema, "object") || names.has(schema) || usedIds.has(id)) return;
    names.add(schema, { id });
    usedIds.add(id);
  };
  const responses = mostUsedFirst(endpoints.flatMap(({ response }) => recordsIn(response)));
  for (const [key, schema] of responses) name(schema, pascal(key));
  for (const [key, schema] of responses)
    if (isOf(schema, "array")) name(schema._zod.def.element, `${pascal(singular(key))}Item`);
  for (const [key, schema] of endpoints.flatMap(({ body }) => recordsIn(body))) {
    const inner = objectIn(schema);
    if (inner) name(inner, `${pascal(key)}Input`);
  }
  return names;
}

function factsIn(facts: FieldFacts): JsonSchema {
  const { label: title, hint, usedIn } = facts;
  const words = [
    hint,
    usedIn && `Used in ${usedIn} reports.`,
    facts.kind === "day" && "A day as YYYY-MM-DD; MM/DD/YYYY is also accepted.",
    facts.kind === "lookup" && `The id of a record of ${facts.list}.`,
    facts.kind === "lookups" && `Ids of records of ${facts.list}.`,
    "choices" in facts &&
      facts.custom &&
      facts.choices.map(({ value, label }) => `${value}: ${label}.`).join(" "),
    facts.kind === "removal" && "True removes the row, which then needs only its id.",
    facts.kind === "version" &&
      "The version that was read. If the stored one is newer, the response is 409 `conflict_version`.",
  ].filter((word) => typeof word === "string");
  return {
    title,
    ...(words.length > 0 && { description: words.join(" ") }),
    ...(facts.kind === "secret" && { writeOnly: true }),
  };
}

/** Returns the JSON Schema of the values of custom fields. A key without a value is left out of responses. */
const customIn = (fields: readonly Field[]): JsonSchema => ({
  type: "object",
  description:
    "Values of custom fields, by key. A key that a request omits does not change; null clears its value.",
  properties: Object.fromEntries(
    fields.map(({ name, facts }) => [name, { ...valueIn(facts), ...factsIn(facts) }]),
  ),
  additionalProperties: {},
});

/** Returns the type of a custom field's value. */
function valueIn(facts: FieldFacts): JsonSchema {
  const choice = (choices: readonly Choice[]): JsonSchema => ({
    enum: [...choices.map(({ value }) => value), null],
  });
  switch (facts.kind) {
    case "flag":
      return { type: ["boolean", "null"] };
    case "whole":
      return { type: ["integer", "null"], minimum: facts.min, maximum: facts.max };
    case "day":
      return { type: ["string", "null"], format: "date" };
    case "choice":
      return choice(facts.choices);
    case "choices":
      return { type: ["array", "null"], items: { enum: facts.choices.map(({ value }) => value) } };
    default:
      return { type: ["string", "null"] };
  }
}

const SAFE = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);
function adjust(zodSchema: z.core.$ZodType, schema: JsonSchema): void {
  // The format is equivalent to zod's own pattern.
  if (schema.format) delete schema.pattern;
  if (schema.maximum !== undefined && SAFE.has(schema.maximum)) delete schema.maximum;
  if (schema.minimum !== undefined && SAFE.has(schema.minimum)) delete schema.minimum;
  // An integer in a path or query is sent as text.
  if (isOf(zodSchema, "pipe") && isOf(zodSchema._zod.def.out, "number")) {
    const { minimum, maximum } = z.toJSONSchema(zodSchema._zod.def.out);
    delete schema.pattern;
    Object.assign(schema, { type: "integer", minimum, maximum });
  }
  const facts = factsOf(zodSchema);
  if (facts?.kind === "custom") Object.assign(schema, customIn(fieldsOf(zodSchema)));
  else if (facts) Object.assign(schema, factsIn(facts));
  else {
    const field = responseFields.get(zodSchema);
    if (field) Object.assign(schema, { title: factsOf(field)?.label });
  }
}

/** Renames nested records to `…Attributes`, as they are sent. */
function renameNested(zodSchema: z.core.$ZodType, schema: JsonSchema): void {
  if (!isOf(zodSchema, "object") || !schema.properties) return;
  const { shape } = zodSchema._zod.def;
  schema.properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, inner]) => {
      const field = shape[name];
      const facts = field && factsOf(field);
      return [isNested(facts) ? wireName(name, facts) : name, inner];
    }),
  );
}

/** Points references to the document's components instead of the schema's own definitions. */
const relinked = (value: object): JsonSchema =>
  JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', `"${COMPONENTS}`));

export type Converter = {
  /** Returns the JSON Schema of a request (`input`) or response (`output`). */
  convert: (schema: z.core.$ZodType, io: "input" | "output") => JsonSchema;
  components: Record<string, JsonSchema>;
};

export function converterFor(endpoints: readonly Endpoint[]): Converter {
  const names = namesOf(endpoints);
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    convert(schema, io) {
      const {
        $schema: _,
        $defs,
        ...rest
      } = z.toJSONSchema(schema, {
        io,
        metadata: names,
        // Schemas without a JSON Schema equivalent, such as the rejection of other filters, become `{}`.
        unrepresentable: "any",
        override: ({ zodSchema, jsonSchema }) => {
          const converted = jsonSchema as JsonSchema;
          adjust(zodSchema, converted);
          if (io === "input") renameNested(zodSchema, converted);
        },
      });
      for (const [name, { id: _, ...definition }] of Object.entries($defs ?? {}))
        components[name] = relinked(definition);
      return relinked(rest);
    },
  };
}
