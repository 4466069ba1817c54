import type * as z from "zod/mini";
import { PROBLEMS_MAX } from "@/lib/core/errors";
import { schemasAlong } from "@/lib/core/fields/facts";
import { wirePath } from "@/lib/core/fields/wire";
import { REQUIRED } from "@/lib/core/fields/words";
import { titleize } from "@/lib/core/text/format";

/** Returns the subject of a problem's sentence: the field's label, or its name if no screen shows it. */
function labelAt(schema: z.core.$ZodType, path: readonly string[]): string {
  const along = [...schemasAlong(schema, path)].filter(({ name }) => !/^\d+$/.test(name));
  const last = along.at(-1);
  return last?.facts?.label ?? titleize(last?.name);
}

const SENTENCE = /^[A-Z]/;

/** The longest name in the path of a problem. Longer ones are no fields, so they are cut. */
const NAME_MAX = 100;

/**
 * Returns the field's path in the request, and the problem as a sentence. A problem that is not a sentence yet gets the
 * field's label as its subject.
 */
const toFieldError = (
  schema: z.core.$ZodType,
  path: readonly string[],
  problem: string,
): [string, string] => [
  // If the body is not an object, there is no field to name.
  wirePath(schema, path) || "body",
  SENTENCE.test(problem) ? problem : `${labelAt(schema, path) || "Body"} ${problem}`,
];

/**
 * Converts the problems of a body to the caller's paths and to sentences. `{"form.serviceOn": "is required"}` becomes
 * `{"form.serviceOn": "Service On is required"}`, and nested objects are named with `…Attributes`.
 */
export const problemsOnWire = (
  schema: z.core.$ZodType,
  problems: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).map(([path, problem]) => toFieldError(schema, path.split("."), problem)),
  );

/**
 * Returns the same for a zod error, with the first problem of each field. If there are more than `PROBLEMS_MAX`, returns
 * one more than that.
 */
export function fieldErrors(schema: z.core.$ZodType, error: z.core.$ZodError): Record<string, string> {
  const fields = new Map<string, string>();
  const paths = new Set<string>();
  for (const issue of error.issues) {
    const path = issue.path.map((name) => String(name).slice(0, NAME_MAX));
    const joined = path.join(".");
    if (paths.has(joined)) continue;
    paths.add(joined);
    const [field, sentence] = toFieldError(schema, path, deepest(issue));
    if (!fields.has(field)) fields.set(field, sentence);
    if (fields.size > PROBLEMS_MAX) break;
  }
  return Object.fromEntries(fields);
}

/** Returns the message of the union's branch that matched furthest; for other issues, their own. */
function deepest(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") return issue.message;
  const inner = issue.errors.flat().find((other) => other.code !== "invalid_value");
  return inner && issue.message !== REQUIRED ? inner.message : issue.message;
}
