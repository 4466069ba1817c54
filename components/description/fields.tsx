import type { ReactNode } from "react";
import type { JsonSchema } from "@/lib/description/schemas";

const nameIn = ({ $ref = "" }: JsonSchema) => $ref.split("/").at(-1) ?? "";

/** Returns the object schema in a schema: itself, the items of a list, or the part next to null. */
function objectOf(schema: JsonSchema): JsonSchema | null {
  if (schema.properties) return schema;
  if (schema.items) return objectOf(schema.items);
  const [inner] = (schema.anyOf ?? []).flatMap((one) => objectOf(one) ?? []);
  return inner ?? null;
}

const joined = (parts: ReactNode[], word: string): ReactNode[] =>
  parts.flatMap((part, at) => (at === 0 ? [part] : [word, part]));

/** Shows a type in words, with a link to its record if it has one. */
export function TypeOf({ schema }: { schema: JsonSchema }): ReactNode {
  if (schema.$ref)
    return (
      <a className="link" href={`#record-${nameIn(schema)}`}>
        {nameIn(schema)}
      </a>
    );
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf)
    return joined(
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a type have no names and never move
      schema.anyOf.map((one, at) => <TypeOf key={at} schema={one} />),
      " or ",
    );
  if (schema.items)
    return (
      <>
        list of <TypeOf schema={schema.items} />
      </>
    );
  return schema.format ?? ([schema.type].flat().filter(Boolean).join(" or ") || "anything");
}

/** Lists the fields of an object with their types and labels, including nested objects. */
export function Fields({ schema }: { schema: JsonSchema }) {
  const object = objectOf(schema);
  if (!object)
    return (
      <p className="text-sm">
        <TypeOf schema={schema} />
      </p>
    );
  const { properties = {}, required = [] } = object;
  return (
    <ul className="border-line border-l pl-3">
      {Object.entries(properties).map(([name, field]) => (
        <li key={name} className="wrap-anywhere">
          <code>{name}</code>{" "}
          <span className="text-muted text-sm">
            <TypeOf schema={field} />
            {required.includes(name) && ", required"}
          </span>
          {field.title && <span className="text-sm"> — {field.title}</span>}
          {field.description && <span className="text-muted text-sm"> {field.description}</span>}
          {objectOf(field) && <Fields schema={field} />}
        </li>
      ))}
    </ul>
  );
}
