import { isRecord, plainPath, STILL_RUNNING } from "@/lib/fields/wire";

const UNAUTHORIZED = "Unauthorized Request";
const NO_ERROR_TEXT = "Undefined response from server";
const UNRECOGNISED = "Something went wrong";
const UNREACHABLE = "The server could not be reached. Nothing you entered is lost: please try again.";

/** A failed call. `status` 0 means that no answer came. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** One entry a line, never empty (spec §8). */
    readonly messages: string[],
    /** Field path under plain names (`form.intakeForm.referralSourceId`) → its message. */
    readonly fields: Record<string, string> = {},
    /** The parsed answer, for callers that need more of it than its error text (409). */
    readonly body: unknown = undefined,
    readonly requestId: string | null = null,
  ) {
    super(messages.join("\n"));
    this.name = "ApiError";
  }
}

/** The lines to show for anything that was thrown (spec §8). */
export function messagesOf(error: unknown): string[] {
  return error instanceof ApiError ? error.messages : [UNRECOGNISED];
}

function errorText(body: unknown): string[] {
  const error = isRecord(body) ? body.error : undefined;
  if (error === undefined || error === null || error === "") return [NO_ERROR_TEXT];
  if (typeof error === "string") return [error];
  const lines = Array.isArray(error) ? error.filter((line) => typeof line === "string" && line !== "") : [];
  return lines.length > 0 ? lines : [UNRECOGNISED];
}

function fieldErrors(body: unknown): Record<string, string> {
  const fields = isRecord(body) ? body.fields : undefined;
  if (!isRecord(fields)) return {};
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [plainPath(path), String(message)]),
  );
}

function toLogin(): void {
  const here = window.location.pathname + window.location.search;
  window.location.assign(`/?unauthorized=true&url=${encodeURIComponent(here)}`);
}

type SignInAgain = () => Promise<void>;
let signInAgain: SignInAgain | null = null;

/**
 * What to do in this page when the session has ended, instead of going to the login page: `ask` resolves once
 * the same user has signed in again, and the call is then repeated. Null takes it back.
 */
export function setSignInAgain(ask: SignInAgain | null): void {
  signInAgain = ask;
}

type ApiOptions = {
  /** Same key, same answer: a repeated POST never makes a second record (contract §4). */
  idempotencyKey?: string;
  /** The draft that a saved form makes needless. */
  draftKey?: string;
  /** The call outlives the page; the browser allows its body 64 KB. */
  keepalive?: boolean;
  signal?: AbortSignal;
  /** What to do instead of going to the login page when the session has ended. */
  onUnauthorized?: (error: ApiError) => void;
};

type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * One call to the API: JSON out, JSON in, `undefined` for an answer without a body.
 * Rejects with `ApiError` for every failure, with the words of spec §8; an ended session also leads to login.
 */
export async function api<T = void>(
  method: Method,
  path: string,
  body?: unknown,
  options: ApiOptions = {},
): Promise<T> {
  try {
    return await send(method, path, body, options);
  } catch (error) {
    if (!(error instanceof ApiError && error.messages.includes(UNAUTHORIZED))) throw error;
    if (!options.onUnauthorized && signInAgain) {
      await signInAgain();
      // Refused before anything was done, so that repeating it does nothing twice.
      return send(method, path, body, options);
    }
    (options.onUnauthorized ?? toLogin)(error);
    throw error;
  }
}

async function send<T>(
  method: Method,
  path: string,
  body: unknown,
  { idempotencyKey, draftKey, keepalive, signal }: ApiOptions,
): Promise<T> {
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  if (idempotencyKey) headers.set("idempotency-key", idempotencyKey);
  if (draftKey) headers.set("draft-key", draftKey);

  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      headers,
      keepalive,
      signal,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, [UNREACHABLE]);
  }

  const answer = parseJson(text);
  if (response.ok && (text === "" || answer !== undefined)) return answer as T;

  const requestId = response.headers.get("x-request-id");
  throw new ApiError(response.status, errorText(answer), fieldErrors(answer), answer, requestId);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the server has answered that nothing was done; without an answer, or from a server in trouble, nobody knows. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  ((error.status >= 400 && error.status < 500) || error.status === 500) &&
  !error.messages.includes(STILL_RUNNING);

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/**
 * A way to make one record, and never a second, however often it is tried and whatever becomes of the answers
 * (contract §4): while nobody knows what became of a body, the same body again keeps its Idempotency-Key; before
 * another body is sent, the earlier one is repeated, and the record that it has made is updated.
 */
export function creation<Answer>(path: string, idOf: (answer: Answer) => number) {
  /** What was sent and may have made a record that this screen does not know. */
  let open: { body: unknown; text: string; key: string } | null = null;

  /** `call`, after which `open` is known to be done with: it succeeded, or `isOver` says so of its error. */
  const settled = async (call: Promise<Answer>, isOver: (error: unknown) => boolean): Promise<Answer> => {
    try {
      const answer = await call;
      open = null;
      return answer;
    } catch (error) {
      if (isOver(error)) open = null;
      throw error;
    }
  };
  const post = (options: ApiOptions) =>
    api<Answer>("POST", path, open?.body, { ...options, idempotencyKey: open?.key });

  return async (body: unknown, options: ApiOptions = {}): Promise<Answer> => {
    const text = JSON.stringify(body);
    if (open && open.text !== text) {
      const earlier = await post({}).catch((error) => {
        if (isRefusal(error)) return null;
        throw error;
      });
      if (earlier) return settled(api("PUT", `${path}/${idOf(earlier)}`, body, options), isGone);
      open = null;
    }
    // randomUUID is missing where the page came over plain http from another host.
    open ??= { body, text, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
    return settled(post(options), isRefusal);
  };
}
