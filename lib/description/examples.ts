import { componentOf, type JsonSchema } from "@/lib/description/schemas";

// Examples without personal data, made from the schemas. Each text is the label of its field.

const WORDS: Record<string, string> = {
  email: "someone@example.org",
  password: "correct horse battery 1",
  passwordConfirmation: "correct horse battery 1",
  token: "lb_…",
  order: "asc",
  addresses: "10.20.0.0/16",
  phoneNumber: "(555) 555-0100",
};

const FORMATS: Record<string, string> = {
  date: "2026-03-31",
  "date-time": "2026-03-31T14:05:00.000Z",
  uuid: "00000000-0000-4000-8000-000000000000",
  email: "someone@example.org",
};

/** Returns a value that the schema allows. */
export function exampleOf(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  name = "",
): unknown {
  const inner = (value: JsonSchema, key = name) => exampleOf(value, components, key);
  if (schema.$ref) return inner(components[componentOf(schema)] ?? {});
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.find((value) => value !== "") ?? "";
  if (schema.anyOf)
    return inner({ title: schema.title, ...schema.anyOf.find(({ type }) => type !== "null") });
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([key]) => key !== "_destroy")
        .map(([key, value]) => [key, inner(value, key)]),
    );
  const [type] = [schema.type].flat();
  switch (type) {
    case "array":
      return schema.items ? [inner(schema.items)] : [];
    case "boolean":
      return true;
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "object":
      return {};
    case "string":
      return textOf(schema, name);
    default:
      return null;
  }
}

function textOf({ format = "", pattern = "", title, description }: JsonSchema, name: string): string {
  if (description?.includes("YYYY-MM-DD")) return "2026-03-31";
  const fits = (text: string | undefined) => text !== undefined && new RegExp(pattern).test(text);
  return [WORDS[name], FORMATS[format], title, name, "Error", "[masked]"].find(fits) ?? "";
}
