import "server-only";
import { tooLargeMessage } from "@/lib/core/api/endpoint";
import type { ApiRequest } from "@/lib/core/api/request";
import { AppError } from "@/lib/core/errors";

/** The deepest valid body has nine levels. Deeper nesting is an attack on recursion, not data. */
const MAX_DEPTH = 32;
/** The largest valid body has a few thousand values. Parsing and checking more would delay other requests. */
const MAX_VALUES = 50_000;

/**
 * Reads the body as JSON: at most `maxBytes` (counted while streaming), 32 levels and 50,000 values (counted before
 * parsing), valid UTF-8. Throws 400, 413 or 415.
 */
export async function readJson(request: ApiRequest, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes, "JSON", "application/json");
  assertBounds(bytes);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new AppError("malformed", "The body is not valid JSON.");
  }
}

/** Reads the body of an HTML form, with the same limit. Of a repeated name, it returns the last value. */
export async function readForm(request: ApiRequest, maxBytes: number): Promise<Record<string, string>> {
  const bytes = await readBytes(request, maxBytes, "a form", "application/x-www-form-urlencoded");
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}

const tooLarge = (maxBytes: number) => new AppError("too_large", tooLargeMessage(maxBytes));

/** Throws 413 for a request that declares a longer body. */
export function assertLength(request: ApiRequest, maxBytes: number): void {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

async function readBytes(
  request: ApiRequest,
  maxBytes: number,
  kind: string,
  type: string,
): Promise<Uint8Array> {
  const [contentType = ""] = (request.headers.get("content-type") ?? "").split(";");
  if (contentType.trim().toLowerCase() !== type)
    throw new AppError("not_json", `The body must be ${kind} (${type}).`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    // The client disconnected, or took too long and was cut off.
    throw error instanceof AppError ? error : new AppError("malformed", "The request body is incomplete.");
  }
  return Buffer.concat(chunks);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
// Comparisons, because a set lookup per byte takes ten times as long.
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const isOpeningBracket = (byte: number) => byte === 0x5b || byte === 0x7b;
const isClosingBracket = (byte: number) => byte === 0x5d || byte === 0x7d;

/**
 * Throws 400 for JSON that is nested too deeply, and 413 for too many values. Up to the first error it reads brackets
 * and quotes as a parser does. So no text makes the parser build more values than were counted.
 */
function assertBounds(bytes: Uint8Array): void {
  let values = 1;
  let depth = 0;
  let isOpened = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isSpace(byte)) continue;
    const isClosing = isClosingBracket(byte);
    // The first value of a list or object; a comma precedes each of the others.
    if ((isOpened && !isClosing) || byte === COMMA) values += 1;
    isOpened = isOpeningBracket(byte);
    if (isOpened) depth += 1;
    if (isClosing) depth -= 1;
    if (depth > MAX_DEPTH) throw new AppError("malformed", "The body is nested too deeply.");
    if (values > MAX_VALUES)
      throw new AppError("too_large", `The body has more than ${MAX_VALUES.toLocaleString("en-US")} values.`);
    if (byte === QUOTE) at = endOfString(bytes, at);
  }
}

/** Returns the index of the quote that closes a string, or of the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
