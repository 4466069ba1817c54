import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "@/lib/core/process-wide";

/** Facts about the current request: only values that logs and reports may contain. */
export type RequestContext = {
  id: string;
  method: string;
  /** The route as `routeOf` returns it. */
  route: string;
  /** The caller's address; for the audit trail, not for the log. */
  address?: string;
  userId?: number;
  /** Aborted if the client disconnects before the response was sent. */
  disconnected?: AbortSignal;
};

const store = processWide("request", () => new AsyncLocalStorage<RequestContext>());

/** Runs `work` with `context` as the current request. */
export const withRequest = <T>(context: RequestContext, work: () => T): T => store.run(context, work);

/** Returns the current request; undefined outside our server, as in tests that call handlers directly. */
export const requestContext = (): RequestContext | undefined => store.getStore();

/** True if the client of the current request has disconnected. */
export const isDisconnected = (): boolean => requestContext()?.disconnected?.aborted ?? false;

/** Stores the owner of the request's session. */
export function noteUser(userId: number): void {
  const context = requestContext();
  if (context) context.userId = userId;
}
