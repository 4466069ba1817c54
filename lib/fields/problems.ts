import type { z } from "zod";
import { schemasAlong } from "@/lib/fields/facts";
import { titleize } from "@/lib/fields/format";
import { wirePath } from "@/lib/fields/wire";

/** What a problem's sentence begins with: the field's label; of what no screen shows, such as a query's page, its name. */
function labelAt(schema: z.core.$ZodType, path: readonly string[]): string {
  const along = [...schemasAlong(schema, path)].filter(({ name }) => !/^\d+$/.test(name));
  const last = along.at(-1);
  return last?.facts?.label ?? titleize(last?.name);
}

const SENTENCE = /^[A-Z]/;

/** A field by its wire path, and a problem as a sentence that names it, unless it is a sentence of its own already. */
const asAnswered = (schema: z.core.$ZodType, path: readonly string[], problem: string): [string, string] => [
  // What is no object at all has no field to name.
  wirePath(schema, path) || "body",
  SENTENCE.test(problem) ? problem : `${labelAt(schema, path) || "Body"} ${problem}`,
];

/**
 * Problems of a body by plain path as a caller knows them: `{"form.serviceOn": "is required"}` becomes
 * `{"form.serviceOn": "Service On is required"}`, nested objects under their `…Attributes`.
 */
export const problemsOnWire = (
  schema: z.core.$ZodType,
  problems: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).map(([path, problem]) => asAnswered(schema, path.split("."), problem)),
  );

/** A schema's complaint likewise, the first of each field. */
export function fieldErrors(schema: z.core.$ZodType, error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) {
    const [path, sentence] = asAnswered(schema, issue.path.map(String), deepest(issue));
    if (!Object.hasOwn(fields, path)) fields[path] = sentence;
  }
  return fields;
}

/** Of a union's complaint, the one of the branch that came closest; else the issue's own. */
function deepest(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  const inner = issue.errors.flat().find((other) => other.code !== "invalid_value");
  return inner && issue.message !== "is required" ? inner.message : issue.message;
}
