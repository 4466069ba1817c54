import { deepEqual } from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Description } from "@/lib/description/document";

// Answers of the tests, of Vitest and of the browser, against docs/openapi.json, as a program made from that file would
// read them.

const FILE = path.resolve(import.meta.dirname, "../docs/openapi.json");
export const committed: Description = JSON.parse(readFileSync(FILE, "utf8"));

const ajv = new Ajv2020({ strict: false, validateSchema: false });
// The package's types do not know that this is how Node imports it.
(addFormats as unknown as (to: Ajv2020) => void)(ajv);
ajv.addSchema(committed, "openapi");

const compiled = new Map<string, ValidateFunction>();
const pointer = (...steps: string[]) =>
  steps.map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("");

/** The check of the schema at a place of the document; compiled once. */
function checkAt(place: string): ValidateFunction {
  const check = compiled.get(place) ?? ajv.compile({ $ref: `openapi#${place}` });
  compiled.set(place, check);
  return check;
}

/** Fails unless the description has this status for the endpoint, with this kind of content and this body. */
export function assertDescribed(
  endpoint: { path: string; method: string } | undefined,
  { status, body, headers }: { status: number; body: unknown; headers: Headers },
): void {
  if (!endpoint) return;
  const { path, method } = endpoint;
  const at = `${method} ${path} ${status}`;
  const response = committed.paths[path]?.[method.toLowerCase()]?.responses[status];
  if (!response) throw new Error(`docs/openapi.json has no ${at}: npm run openapi`);
  const place =
    "$ref" in response
      ? response.$ref.slice(1)
      : pointer("paths", path, method.toLowerCase(), "responses", String(status));
  const type = headers.get("content-type")?.split(";", 1)[0];
  const content =
    "$ref" in response
      ? committed.components.responses[response.$ref.split("/").at(-1) ?? ""]?.content
      : response.content;
  deepEqual(type ?? null, Object.keys(content ?? {})[0] ?? null, at);
  if (!type) return;
  const check = checkAt(`${place}/content${pointer(type)}/schema`);
  if (!check(body)) throw new Error(`${at} ${JSON.stringify(body)}: ${JSON.stringify(check.errors)}`);
}

/** The described paths, those without parameters first, each with what an address of it looks like. */
const addresses = Object.keys(committed.paths)
  .sort((a, b) => Number(a.includes("{")) - Number(b.includes("{")))
  .map((path) => ({
    path,
    like: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
  }));

/** The described endpoint that answers a request; undefined where there is none. */
export function describedAt(method: string, pathname: string): { path: string; method: string } | undefined {
  const path = addresses.find(({ like }) => like.test(pathname))?.path;
  return path && committed.paths[path]?.[method.toLowerCase()] ? { path, method } : undefined;
}
