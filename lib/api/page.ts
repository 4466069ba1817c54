import "server-only";
import { notFound } from "next/navigation";
import { AppError } from "@/lib/api/errors";
import { idParams } from "@/lib/api/list-query";
import type { SessionUser } from "@/lib/auth/permissions";
import { getDraft, listDrafts } from "@/lib/drafts/data";
import type { Draft, DraftSummary } from "@/lib/drafts/schema";

/** The id in a page's path; what is no id leads to the page of 404. */
export async function pageId(params: Promise<{ id: string }>): Promise<number> {
  const parsed = idParams.safeParse(await params);
  return parsed.success ? parsed.data.id : notFound();
}

/** What was read, or the page of 404 when there is no such record (for this user). */
export async function found<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") notFound();
    throw error;
  }
}

type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** The list's screen as it was left: `?from=` is its part of the address bar, and can lead nowhere else. */
export async function backTo(path: string, searchParams: SearchParams): Promise<string> {
  const { from } = await searchParams;
  const state = new URLSearchParams(String(from ?? "")).toString();
  return path + (state && `?${state}`);
}

/** The user's drafts of this form, or of new ones (null): the one that the address (`?draft=`) continues, and the others. */
export async function draftsOf(
  user: SessionUser,
  searchParams: SearchParams,
  formId: number | null,
): Promise<{ draft: Draft | null; others: DraftSummary[] }> {
  const { draft: key } = await searchParams;
  const drafts = (await listDrafts(user)).filter((draft) => draft.formId === formId);
  const wanted = drafts.find((draft) => draft.key === key);
  return {
    draft: wanted ? await getDraft(user, wanted.key) : null,
    others: drafts.filter((draft) => draft !== wanted),
  };
}
