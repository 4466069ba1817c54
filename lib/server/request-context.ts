import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "@/lib/server/process-wide";

/** What is known of the request being answered: nothing that a log or a report may not hold. */
export type RequestContext = {
  id: string;
  method: string;
  /** As `routeOf` says it. */
  route: string;
  /** Where the request came from; for the audit trail, not for the log. */
  address?: string;
  /** Once the session is known. */
  userId?: number;
  /** Aborted when the caller goes before the answer is out. */
  disconnected?: AbortSignal;
};

const store = processWide("request", () => new AsyncLocalStorage<RequestContext>());

/** Runs `work` with `context` as the request being answered. */
export const withRequest = <T>(context: RequestContext, work: () => T): T => store.run(context, work);

/** The request being answered; undefined outside our server, as in tests that call handlers in process. */
export const requestContext = (): RequestContext | undefined => store.getStore();

/** Notes whose session the request carries. */
export function noteUser(userId: number): void {
  const context = requestContext();
  if (context) context.userId = userId;
}
