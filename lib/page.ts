import "server-only";
import { headers } from "next/headers";
import { forbidden, notFound, redirect } from "next/navigation";
import { createElement, type ReactNode } from "react";
import * as z from "zod/mini";
import { auditRefusal } from "@/lib/audit/record";
import { type Access, allows, canAll, type Permission } from "@/lib/core/access/permissions";
import type { Search } from "@/lib/core/api/back-link";
import { pageQuery } from "@/lib/core/api/list-query";
import { AppError } from "@/lib/core/errors";
import { currentDefinitions } from "@/lib/core/fields/definitions";
import { to } from "@/lib/core/pages";
import { requireUser } from "@/lib/identity/page-session";
import type { Actor } from "@/lib/identity/session";
import { PageDefinitions } from "@/lib/page-definitions";

type Props = { params: Promise<object>; searchParams: Promise<Search> };

/** The input from which a page loads its data: the user and the URL. */
type Input<Need, P, Q> = {
  actor: Need extends "guest" ? null : Actor;
  params: P;
  query: Q;
  /** The query of the URL, unparsed. */
  search: Search;
};

type Page<Need extends Access, P, Q, Data> = {
  /** Required, so that a page without a permission does not compile. A function if the path decides. */
  permission: Need | ((params: P) => Need);
  /** Permissions that the user needs besides. */
  additionalPermissions?: readonly Permission[];
  /** True: also open to a session that has yet to set up two-step sign-in; other pages redirect there. */
  beforeTwoStep?: true;
  /** Parses the path; a path it refuses gets the 404 page. */
  params?: z.core.$ZodType<P>;
  /** Parses a list's query; a value it refuses is replaced by its default. */
  query?: (params: P) => z.core.$ZodType<Q>;
  /** Reads everything the page shows; a 404 or 403 error shows the page for it. */
  load: (input: Input<Need, P, Q>) => Promise<Data>;
  show: (data: Data) => ReactNode;
};

/**
 * The only way to render a page: session → path → permission → `load` → `show`. Guests are redirected to the login
 * page, unless the page is open to them.
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
    const { permission, additionalPermissions = [] } = declared;
    const need = typeof permission === "function" ? permission(params) : permission;
    if (actor && !(allows(need, actor) && canAll(actor, additionalPermissions)))
      await refuse(actor, "forbidden");
    const query = declared.query && pageQuery(declared.query(params), search);
    const reading = declared.load({ actor, params, query, search } as Input<Need, P, Q>);
    const shown = declared.show(await orErrorPage(actor, reading));
    return actor ? createElement(PageDefinitions, { definitions: currentDefinitions() }, shown) : shown;
  };
}

/** Redirects to the screen that sets up two-step sign-in, with the URL to return to. */
async function toTwoStep(): Promise<never> {
  const url = (await headers()).get("x-request-path") ?? "/";
  redirect(`${to("twoStep")}?${new URLSearchParams({ url })}`);
}

function parseOr404<P>(schema: z.core.$ZodType<P> | undefined, segments: object): P {
  const parsed = schema && z.safeParse(schema, segments);
  if (parsed && !parsed.success) notFound();
  return parsed?.data as P;
}

/** Awaits the data; a 404 or 403 error shows the page that explains it. */
async function orErrorPage<T>(actor: Actor | null, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && (error.code === "not_found" || error.code === "forbidden"))
      await refuse(actor, error.code);
    throw error;
  }
}

/** Records the refusal in the audit trail, then shows the page that explains it. */
async function refuse(actor: Actor | null, code: "not_found" | "forbidden"): Promise<never> {
  const path = (await headers()).get("x-request-path") ?? "/";
  if (actor) await auditRefusal(actor, code, new URL(path, "http://host").pathname);
  return code === "forbidden" ? forbidden() : notFound();
}
