import { deepEqual } from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Description, description } from "@/lib/description/document";

// Checks the responses of Vitest and browser tests against the API description, as a generated client would
// read them.

type CompiledDescription = { document: Description; ajv: Ajv2020; compiled: Map<string, ValidateFunction> };

function prepare(): CompiledDescription {
  const document: Description = JSON.parse(JSON.stringify(description()));
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  // The package's types do not match the way Node imports it.
  (addFormats as unknown as (to: Ajv2020) => void)(ajv);
  ajv.addSchema(document, "openapi");
  return { document, ajv, compiled: new Map() };
}

// Cached for all test files of a worker, because compiling the schemas takes longer than most files.
const worker: typeof globalThis & { apiDescription?: CompiledDescription } = globalThis;
worker.apiDescription ??= prepare();
const { ajv, compiled } = worker.apiDescription;
export const { document } = worker.apiDescription;

const pointer = (...steps: string[]) =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/** Returns the validator of the schema at a place in the document, compiled once. */
function checkAt(place: string): ValidateFunction {
  const check = compiled.get(place) ?? ajv.compile({ $ref: `openapi#${place}` });
  compiled.set(place, check);
  return check;
}

/** Fails unless the description has this status for the endpoint, with this content type and body. */
export function assertDescribed(
  endpoint: { path: string; method: string } | undefined,
  { status, body, headers }: { status: number; body: unknown; headers: Headers },
): void {
  if (!endpoint) return;
  const { path, method } = endpoint;
  const at = `${method} ${path} ${status}`;
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  if (!response) throw new Error(`The API's description has no ${at}`);
  const place =
    "$ref" in response
      ? response.$ref.slice(1)
      : pointer("paths", path, method.toLowerCase(), "responses", String(status));
  const type = headers.get("content-type")?.split(";", 1)[0];
  const content =
    "$ref" in response
      ? document.components.responses[response.$ref.split("/").at(-1) ?? ""]?.content
      : response.content;
  deepEqual(type ?? null, Object.keys(content ?? {})[0] ?? null, at);
  if (!type) return;
  const check = checkAt(`${place}/content${pointer(type)}/schema`);
  if (!check(body)) throw new Error(`${at} ${JSON.stringify(body)}: ${JSON.stringify(check.errors)}`);
}

/** The described paths, those without parameters first, each with a pattern for its URLs. */
const addresses = Object.keys(document.paths)
  .sort((a, b) => Number(a.includes("{")) - Number(b.includes("{")))
  .map((path) => ({
    path,
    like: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
  }));

/** Returns the described endpoint for a request, or undefined if there is none. */
export function describedAt(method: string, pathname: string): { path: string; method: string } | undefined {
  const path = addresses.find(({ like }) => like.test(pathname))?.path;
  return path && document.paths[path]?.[method.toLowerCase()] ? { path, method } : undefined;
}
