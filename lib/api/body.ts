import "server-only";
import { BODY_MAX } from "@/lib/api/endpoint";
import { AppError } from "@/lib/api/errors";
import type { ApiRequest } from "@/lib/api/request";

/** The deepest valid body has nine levels; deeper nesting is an attack on recursion, not data. */
const MAX_DEPTH = 32;

/** Reads the body as JSON: at most 1 MB (counted while streaming), valid UTF-8, limited depth. */
export async function readJson(request: ApiRequest): Promise<unknown> {
  const bytes = await readBytes(request, "JSON", "application/json");
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AppError("malformed", "The body is not valid JSON.");
  }
  if (isDeeperThan(value, MAX_DEPTH)) throw new AppError("malformed", "The body is nested too deeply.");
  return value;
}

/** Reads the body of an HTML form, by the same limit; of a name that is given twice, the last value. */
export async function readForm(request: ApiRequest): Promise<Record<string, string>> {
  const bytes = await readBytes(request, "a form", "application/x-www-form-urlencoded");
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}

async function readBytes(request: ApiRequest, kind: string, type: string): Promise<Uint8Array> {
  const [given = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (given.trim().toLowerCase() !== type)
    throw new AppError("not_json", `The body must be ${kind} (${type}).`);
  const tooLarge = () => new AppError("too_large", "The body is larger than 1 MB.");
  if (Number(request.headers.get("content-length") ?? 0) > BODY_MAX) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > BODY_MAX) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    // The caller disconnected, or took too long and was cut off.
    throw error instanceof AppError ? error : new AppError("malformed", "The body did not come whole.");
  }
  return Buffer.concat(chunks);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depth - 1));
}
