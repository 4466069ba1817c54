import "server-only";
import type { Reply } from "@/lib/core/api/request";
import type { AppError } from "@/lib/core/errors";
import { toJson } from "@/lib/core/text/json-text";

/** Returns a JSON response. `headers` are the handler's own. */
export function jsonReply(value: unknown, status: number, headers: Headers): Reply {
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  return { status, headers, body: toJson(value) };
}

/** Returns the response for an error. */
export function answerError(error: AppError): Reply {
  const { fields, forms, headers } = error.extra;
  return jsonReply(
    { error: error.messages, code: error.code, ...(fields && { fields }), ...(forms && { forms }) },
    error.status,
    new Headers(headers),
  );
}
