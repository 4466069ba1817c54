import "server-only";
import { headers } from "next/headers";
import { forbidden, notFound, redirect } from "next/navigation";
import type { ReactNode } from "react";
import type { z } from "zod";
import { AppError } from "@/lib/api/errors";
import { pageQuery } from "@/lib/api/list-query";
import { auditRefusal } from "@/lib/audit/record";
import { requireUser } from "@/lib/auth/page-session";
import { type Access, allows } from "@/lib/auth/permissions";
import type { Actor } from "@/lib/auth/session";
import { hasLeft } from "@/lib/server/request-context";

type Search = Record<string, string | string[] | undefined>;
type Props = { params: Promise<object>; searchParams: Promise<Search> };

/** What a page loads its data from: the user and the URL. */
type Input<Need, P, Q> = {
  actor: Need extends "guest" ? null : Actor;
  params: P;
  query: Q;
  /** The query of the URL, unparsed. */
  search: Search;
};

type Page<Need extends Access, P, Q, Data> = {
  /** Required, so that a page without a permission does not compile. A function where the path decides. */
  permission: Need | ((params: P) => Need);
  /** True: open also to a session that has yet to set up two-step sign-in; the others lead there (contract §8). */
  beforeTwoStep?: true;
  /** Parses the path; a path it refuses is answered with the 404 page. */
  params?: z.ZodType<P>;
  /** Parses a list's query; a value it refuses is replaced by its default. */
  query?: (params: P) => z.ZodType<Q>;
  /** Reads everything the page shows; a 404 or 403 error leads to the page for it. */
  load: (input: Input<Need, P, Q>) => Promise<Data>;
  show: (data: Data) => ReactNode;
};

/**
 * The only way to render a page: session → path → permission → `load` → `show`. Guests are sent to the login page,
 * unless the page is open to them.
 */
export function page<const Need extends Access, Data, P = unknown, Q = unknown>(
  declared: Page<Need, P, Q, Data>,
): (props: Props) => Promise<ReactNode> {
  return async (props) => {
    const [segments, search] = await Promise.all([props.params, props.searchParams]);
    const isGuestPage = declared.permission === "guest";
    const actor = isGuestPage ? null : await requireUser();
    if (actor?.twoStepRequired && !declared.beforeTwoStep) await toTwoStep();
    const params = parseOr404(declared.params, segments);
    const { permission } = declared;
    if (actor && !allows(typeof permission === "function" ? permission(params) : permission, actor))
      await refuse(actor, "forbidden");
    const query = declared.query && pageQuery(declared.query(params), search);
    const reading = declared.load({ actor, params, query, search } as Input<Need, P, Q>);
    return declared.show(await found(actor, reading));
  };
}

/** Leads to the screen that sets two-step sign-in up, with the way back. */
async function toTwoStep(): Promise<never> {
  const url = (await headers()).get("x-request-path") ?? "/";
  redirect(`/two_step?${new URLSearchParams({ url })}`);
}

function parseOr404<P>(schema: z.ZodType<P> | undefined, segments: object): P {
  const parsed = schema?.safeParse(segments);
  if (parsed && !parsed.success) notFound();
  return parsed?.data as P;
}

/** Awaits the data; a 404 or 403 error leads to the page that explains it. */
async function found<T>(actor: Actor | null, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && (error.code === "not_found" || error.code === "forbidden"))
      await refuse(actor, error.code);
    throw error;
  }
}

/** Leads to the page that says why not, once the refusal stands in the audit trail. */
async function refuse(actor: Actor | null, code: "not_found" | "forbidden"): Promise<never> {
  const path = (await headers()).get("x-request-path") ?? "/";
  if (actor) await auditRefusal(actor, code, new URL(path, "http://host").pathname);
  return code === "forbidden" ? forbidden() : notFound();
}

/** The URL of the list as the user left it. `?from=` holds only the list's query, so it cannot lead anywhere else. */
export function backTo(path: string, { from }: Search): string {
  const state = new URLSearchParams(String(from ?? "")).toString();
  return path + (state && `?${state}`);
}

/** The query `?from=…` of a record's page for its links to further pages, or "", so that those lead back too. */
export const carriedFrom = ({ from }: Search): string =>
  from ? `?${new URLSearchParams({ from: String(from) })}` : "";

/** A list for its screen; if reading it took too long, `empty` with the reason, which is shown in place of the rows. */
export async function unlessTooSlow<List>(
  reading: Promise<List>,
  empty: List,
): Promise<List & { failed: string | string[] | null }> {
  try {
    return { ...(await reading), failed: null };
  } catch (error) {
    if (hasLeft()) return { ...empty, failed: null };
    if (error instanceof AppError && error.code === "too_slow") return { ...empty, failed: error.messages };
    throw error;
  }
}
