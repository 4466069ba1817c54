/**
 * The error codes that programs rely on, with the HTTP status of each. A code never changes; its message is for users
 * and may.
 */
export const ERROR_STATUS = {
  malformed: 400,
  unauthorized: 401,
  bad_credentials: 401,
  code_needed: 401,
  forbidden: 403,
  proof_needed: 403,
  two_step_required: 403,
  not_found: 404,
  method: 405,
  conflict_version: 409,
  conflict_in_use: 409,
  conflict_busy: 409,
  period_closed: 409,
  too_large: 413,
  not_json: 415,
  misdirected: 421,
  invalid: 422,
  too_many: 429,
  failed: 500,
  unavailable: 503,
  too_slow: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Checks own keys only, because the text comes from a response. */
export const isErrorCode = (text: unknown): text is ErrorCode =>
  typeof text === "string" && Object.hasOwn(ERROR_STATUS, text);
