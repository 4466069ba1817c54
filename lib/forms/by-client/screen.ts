import "server-only";
import { redirect } from "next/navigation";
import type { Client } from "@/lib/clients/api-schema";
import { getClient } from "@/lib/clients/clients";
import { holdOf } from "@/lib/clients/holds";
import { mergesOf } from "@/lib/clients/merges/merges";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { to } from "@/lib/core/pages";
import { hiddenFrom } from "@/lib/forms/by-client/hidden-from";
import { NO_THREAD, threadOf, warningsOfClient } from "@/lib/forms/by-client/read";
import type { ThreadQuery } from "@/lib/forms/by-client/schema";
import { draftsAbout } from "@/lib/forms/drafts/drafts";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { NO_RETURNS, openReturns } from "@/lib/forms/review/reviews";
import { formLists } from "@/lib/lookups/resources/lists";

/**
 * Returns the client of a page under `/clients/{id}`. Throws 404 as `getClient` does. For a merged client it redirects
 * to the page of the present client, if the actor may see it.
 */
export async function clientOfPage(
  actor: SessionUser,
  id: number,
  page: "" | "/edit" | "/merge" | "/print" = "",
): Promise<Client> {
  try {
    return await getClient(actor, id);
  } catch (error) {
    const { mergedInto } = await mergesOf(actor, id);
    if (mergedInto === null) throw error;
    redirect(to("clientsShow", { id: mergedInto }) + page);
  }
}

/** Returns the data of a client's page; null or undefined for parts the actor has no permission to see. */
export async function clientScreen(actor: SessionUser, id: number, query: ThreadQuery) {
  const client = await clientOfPage(actor, id);
  const mayOpenForms = can(actor, "forms");
  const [thread, returns, warnings, drafts, closed, lists, hold, { merges }, hidden] = await Promise.all([
    mayOpenForms ? unlessTooSlow(threadOf(actor, id, query), NO_THREAD) : null,
    mayOpenForms ? openReturns(actor, id) : NO_RETURNS,
    warningsOfClient(actor, id),
    mayOpenForms ? draftsAbout(actor, id) : [],
    closedThrough(),
    formLists(actor),
    // Null if there is no hold on the client.
    can(actor, "retention") ? holdOf(actor, id) : undefined,
    mergesOf(actor, id),
    can(actor, "restrict-clients") ? hiddenFrom(actor, id) : null,
  ]);
  return { id, client, query, thread, returns, warnings, drafts, closed, lists, hold, merges, hidden };
}
