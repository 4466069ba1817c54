import "server-only";
import { forbidden, notFound } from "next/navigation";
import type { ReactNode } from "react";
import type { z } from "zod";
import { AppError } from "@/lib/api/errors";
import { pageQuery } from "@/lib/api/list-query";
import { type Access, allows } from "@/lib/auth/permissions";
import { type Actor, requireUser } from "@/lib/auth/session";
import { requestContext } from "@/lib/server/request-context";

type Search = Record<string, string | string[] | undefined>;
type Props = { params: Promise<object>; searchParams: Promise<Search> };

/** What a page reads from: who it is for, and its address. */
type Input<Need, P, Q> = {
  actor: Need extends "guest" ? null : Actor;
  params: P;
  query: Q;
  /** The address's query as it came. */
  search: Search;
};

type Page<Need extends Access, P, Q, Data> = {
  /** Required, so that a page that forgets it does not compile. A function where the path decides. */
  permission: Need | ((params: P) => Need);
  /** A path that it refuses leads to the page of 404. */
  params?: z.ZodType<P>;
  /** A list's query; what it refuses falls back to its default. */
  query?: (params: P) => z.ZodType<Q>;
  /** Reads everything that the page shows; what is not found, or not for this user, leads to the page that says so. */
  load: (input: Input<Need, P, Q>) => Promise<Data>;
  show: (data: Data) => ReactNode;
};

/**
 * The only way to a page: session → path → permission → `load` → `show`. A guest is sent to the login, except where
 * guests may read.
 */
export function page<const Need extends Access, Data, P = unknown, Q = unknown>(
  declared: Page<Need, P, Q, Data>,
): (props: Props) => Promise<ReactNode> {
  return async (props) => {
    const [segments, search] = await Promise.all([props.params, props.searchParams]);
    const isGuestPage = declared.permission === "guest";
    const actor = isGuestPage ? null : await requireUser();
    const params = parseOr404(declared.params, segments);
    const { permission } = declared;
    if (actor && !allows(typeof permission === "function" ? permission(params) : permission, actor))
      forbidden();
    const query = declared.query && pageQuery(declared.query(params), search);
    return declared.show(await found(declared.load({ actor, params, query, search } as Input<Need, P, Q>)));
  };
}

function parseOr404<P>(schema: z.ZodType<P> | undefined, segments: object): P {
  const parsed = schema?.safeParse(segments);
  if (parsed && !parsed.success) notFound();
  return parsed?.data as P;
}

/** What was read, or the page that says why not. */
async function found<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    if (error instanceof AppError && error.code === "forbidden") forbidden();
    throw error;
  }
}

/** The list's screen as it was left: `?from=` is its part of the address bar, and can lead nowhere else. */
export function backTo(path: string, { from }: Search): string {
  const state = new URLSearchParams(String(from ?? "")).toString();
  return path + (state && `?${state}`);
}

/** A list for its screen: as it was read, or `empty`, with the reason in place of its rows, where that took too long. */
export async function unlessTooSlow<List>(
  reading: Promise<List>,
  empty: List,
): Promise<List & { failed: string | string[] | null }> {
  try {
    return { ...(await reading), failed: null };
  } catch (error) {
    if (requestContext()?.gone?.aborted) return { ...empty, failed: null };
    if (error instanceof AppError && error.code === "too_slow") return { ...empty, failed: error.messages };
    throw error;
  }
}
