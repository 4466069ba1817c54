import type * as z from "zod/mini";
import {
  type Endpoint,
  KEY_HEADERS,
  type KeyName,
  type PathParams,
  type ResponseOf,
} from "@/lib/core/api/endpoint";
import { readableQuery } from "@/lib/core/api/query";
import { type ErrorCode, isErrorCode } from "@/lib/core/errors";
import { plainPath } from "@/lib/core/fields/wire-names";
import { isRecord, keysOf } from "@/lib/core/objects";
import { to } from "@/lib/core/pages";
import type { Endpoints } from "@/lib/endpoints";

const NO_ERROR_TEXT = "Undefined response from server";
const UNRECOGNIZED = "Something went wrong";
const NOTHING_LOST = "Nothing you typed is lost. Please try again.";
const OFFLINE = "You are offline. Keep this page open.";
/** The specification defines an expired session by this error text, even without a code. */
export const UNAUTHORIZED = "Unauthorized Request";

/** A failed call. `status` is 0 when no response arrived. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** The code to branch on; null when no response arrived, or when it did not come from our server. */
    readonly code: ErrorCode | null,
    /** The error text, one entry per line, never empty. */
    readonly messages: string[],
    /** Field path under plain names (`form.intakeForm.referralSourceId`) → its message. */
    readonly fields: Record<string, string> = {},
    /** The parsed response body, for callers that need more than the error text (409). */
    readonly body: unknown = undefined,
    readonly requestId: string | null = null,
  ) {
    super(messages.join("\n"));
    this.name = "ApiError";
  }
}

/** True if a call was refused with this code. */
export const isCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ApiError && error.code === code;

/** Returns the lines to show for any thrown value. */
export function messagesOf(error: unknown): string[] {
  return error instanceof ApiError ? error.messages : [UNRECOGNIZED];
}

function errorText(body: unknown): string[] {
  const error = isRecord(body) ? body.error : undefined;
  if (error === undefined || error === null || error === "") return [NO_ERROR_TEXT];
  if (typeof error === "string") return [error];
  const lines = Array.isArray(error) ? error.filter((line) => typeof line === "string" && line !== "") : [];
  return lines.length > 0 ? lines : [UNRECOGNIZED];
}

function codeOf(body: unknown): ErrorCode | null {
  if (!isRecord(body)) return null;
  if (isErrorCode(body.code)) return body.code;
  return errorText(body).includes(UNAUTHORIZED) ? "unauthorized" : null;
}

function fieldErrors(body: unknown): Record<string, string> {
  const fields = isRecord(body) ? body.fields : undefined;
  if (!isRecord(fields)) return {};
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [plainPath(path), String(message)]),
  );
}

/** Opens the login page, which shows the reason and returns here afterwards. */
export function toLogin(): void {
  const { pathname, search, hash } = window.location;
  const here = pathname + search + hash;
  window.location.assign(`${to("login")}?unauthorized=true&url=${encodeURIComponent(here)}`);
}

type SignInAgain = () => Promise<void>;
let signInAgain: SignInAgain | null = null;

/**
 * Sets the page's response to an expired session, instead of the login page. When the same user has signed in again,
 * `ask` resolves, and the call is repeated. Null restores the default.
 */
export function setSignInAgain(ask: SignInAgain | null): void {
  signInAgain = ask;
}

/**
 * The number of times the user has signed in again on this page. A 401 of a call that began before says nothing about
 * the current session.
 */
export let signIns = 0;

export function countSignIn(): void {
  signIns += 1;
}

type Prove = () => Promise<boolean>;
let prove: Prove | null = null;

/**
 * Sets the page's response to a call that needs the password again. If the user has entered it, `ask` resolves with
 * true, and the call is repeated; with false if the user declines. Null restores the default, the error.
 */
export function setProve(ask: Prove | null): void {
  prove = ask;
}

/** Options of any call. */
export type Options = {
  /** Lets the call outlive the page; browsers then limit its body to 64 KB. */
  keepalive?: boolean;
  signal?: AbortSignal;
  /** Called when the session has expired, instead of opening the login page. */
  onUnauthorized?: (error: ApiError) => void;
};

type Sent = Options & {
  params?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  file?: Blob;
} & { [Key in KeyName]?: string };

type Params<E extends Endpoint> = [PathParams<E["path"]>] extends [never]
  ? unknown
  : { params: Record<PathParams<E["path"]>, string | number> };
type Query<E> = E extends { query: infer Q extends z.core.$ZodType }
  ? { query?: Partial<z.input<Q>> }
  : unknown;
type Body<E> = E extends { body: infer B extends z.core.$ZodType } ? { body: z.input<B> } : unknown;
type File<E> = E extends { upload: readonly string[] } ? { file: Blob } : unknown;
type Keys<E> = E extends { keys: readonly (infer Key extends KeyName)[] } ? { [K in Key]?: string } : unknown;

/** The type of a call's request body. */
export type BodyOf<Name extends keyof Endpoints> =
  Body<Endpoints[Name]> extends { body: infer Sent } ? Sent : undefined;

type Input<E extends Endpoint> = Options & Params<E> & Query<E> & Body<E> & File<E> & Keys<E>;
type Arguments<E extends Endpoint> = object extends Input<E> ? [input?: Input<E>] : [input: Input<E>];

/**
 * Calls the API. The method and path select the declaration that types the call: `call("GET /api/forms/{id}", {
 * params: { id } })`. The declarations and their schemas are not part of the browser's bundle. Rejects with `ApiError`
 * for every failure in plain words; an expired session also opens the login page.
 */
export const call = <Name extends keyof Endpoints>(
  name: Name,
  ...[input]: Arguments<Endpoints[Name]>
): Promise<ResponseOf<Endpoints[Name]>> => sendSignedIn(name, input ?? {});

/**
 * Downloads the file at an API path, under the name in the response. Rejects as `call` does, and also when the
 * download is incomplete, so that no user gets half a file.
 */
export async function download(path: `/api/${string}`): Promise<void> {
  const { file, name } = await sendSignedIn(`GET ${path}`, {}, async (response) => ({
    file: await response.blob(),
    name: /filename="(.+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "",
  }));
  saveFile(file, name);
}

/** Saves a file that the page has, as if it was downloaded. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Browsers start to save it after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Converts a successful response; without it, the response is parsed as JSON. */
type Take<T> = (response: Response) => Promise<T>;

async function sendSignedIn<T>(name: string, input: Sent, take?: Take<T>): Promise<T> {
  const before = signIns;
  try {
    return await send(name, input, take);
  } catch (error) {
    if (isCode(error, "proof_needed") && prove && (await prove())) return send(name, input, take);
    if (!(error instanceof ApiError) || error.code !== "unauthorized") throw error;
    if (!input.onUnauthorized && signInAgain) {
      if (signIns === before) await signInAgain();
      // The 401 came before the server did anything, so repeating the call cannot do it twice.
      return send(name, input, take);
    }
    (input.onUnauthorized ?? toLogin)(error);
    throw error;
  }
}

async function send<T>(name: string, input: Sent, take?: Take<T>): Promise<T> {
  const { params = {}, query = {}, body, file, keepalive, signal } = input;
  const [method, path = ""] = name.split(" ");
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ""));
  const search = searchOf(query);
  const headers = new Headers({ accept: "application/json" });
  if (body !== undefined) headers.set("content-type", "application/json");
  for (const key of keysOf(KEY_HEADERS)) {
    const value = input[key];
    if (value) headers.set(KEY_HEADERS[key], value);
  }

  let response: Response;
  let text: string;
  try {
    response = await fetch(filled + search, {
      method,
      headers,
      keepalive,
      signal,
      body: file ?? (body === undefined ? undefined : JSON.stringify(body)),
      cache: "no-store",
    });
    if (take && response.ok) return await take(response);
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, null, [
      NO_ERROR_TEXT,
      globalThis.navigator?.onLine === false ? OFFLINE : NOTHING_LOST,
    ]);
  }

  const answer = parseJson(text);
  if (response.ok && (text === "" || answer !== undefined)) return answer as T;

  const code = codeOf(answer);
  const requestId = response.headers.get("x-request-id");
  throw new ApiError(response.status, code, errorText(answer), fieldErrors(answer), answer, requestId);
}

/** `{page: 2, filters: {userId: 3}, ids: [4, 5]}` → `?page=2&filters[userId]=3&ids[]=4&ids[]=5` */
function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const inner of value) search.append(`${key}[]`, String(inner));
    else if (!isRecord(value)) search.set(key, String(value));
    else for (const [name, inner] of Object.entries(value)) search.set(`${key}[${name}]`, String(inner));
  }
  return search.size > 0 ? `?${readableQuery(search)}` : "";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
