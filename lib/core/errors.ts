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

/** The most problems that a response names. */
export const PROBLEMS_MAX = 100;

/**
 * An error with a code, which decides the HTTP status. Only `answerError` converts errors to responses.
 */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly messages: string | string[],
    readonly extra: {
      fields?: Record<string, string>;
      headers?: Record<string, string>;
      /** The ids of the forms that prevent a change. */
      forms?: readonly number[];
    } = {},
  ) {
    super(Array.isArray(messages) ? messages.join("; ") : messages);
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

export const unauthorized = () => new AppError("unauthorized", "Unauthorized Request");
export const badCredentials = () => new AppError("bad_credentials", "Invalid email or password");
export const codeNeeded = () => new AppError("code_needed", "Please enter the code");
export const forbidden = () => new AppError("forbidden", "You do not have permission to do that.");
export const proofNeeded = () => new AppError("proof_needed", "Please enter your password");
export const twoStepRequired = () =>
  new AppError("two_step_required", "Please set up two-step sign-in first: your role requires it.");
export const notFound = () => new AppError("not_found", "Not found");
/** 409 because another request is doing the same thing right now; the caller should try again. */
export const busy = (message: string) => new AppError("conflict_busy", message);
/**
 * 409 for removing a record that others refer to, e.g. `inUse("client", 3, "form")`. With 0 the message has no number,
 * because the caller may not see any of them.
 */
export const inUse = (entity: string, uses: number, by: string) =>
  new AppError(
    "conflict_in_use",
    `This ${entity} is used by ${uses === 0 ? `other ${by}s` : `${uses} ${by}${uses === 1 ? "" : "s"}`} and cannot be removed`,
  );
/**
 * 422 for one field, named by its path in the request body, e.g. `invalid("form.clientId", "Client does not exist")`.
 */
export const invalid = (field: string, message: string) =>
  new AppError("invalid", message, { fields: { [field]: message } });

/** 422 for several fields, by their paths in the request body. Names at most `PROBLEMS_MAX` of them. */
export function invalidFields(fields: Record<string, string>): AppError {
  const problems = Object.entries(fields);
  const named = problems.slice(0, PROBLEMS_MAX);
  const messages = [...new Set(named.flatMap(([, message]) => message.split("\n")))];
  if (problems.length > named.length)
    messages.push(`There are more problems than these ${PROBLEMS_MAX}. Fix these first.`);
  return new AppError("invalid", messages, { fields: Object.fromEntries(named) });
}

export const tooMany = (seconds: number, message = "Too many attempts. Please try again later.") =>
  new AppError("too_many", message, {
    headers: { "Retry-After": String(Math.max(1, Math.ceil(seconds))) },
  });
const RETRY = { headers: { "Retry-After": "5" } };
export const unavailable = () =>
  new AppError("unavailable", "The database is not responding right now. Please try again.", RETRY);

/** 503 for a list that could not be read in time. */
export const tooSlow = () => new AppError("too_slow", "This list takes too long to read. Please narrow it.");
