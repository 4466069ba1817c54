/**
 * Why a call failed, as programs read it (contract §7), and the status each code is answered with. The words beside
 * a code are for people and may change; a code never does.
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

/** Own keys only, since the text is an answer's. */
export const isErrorCode = (text: unknown): text is ErrorCode =>
  typeof text === "string" && Object.hasOwn(ERROR_STATUS, text);
