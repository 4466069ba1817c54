import "server-only";
import { notFound } from "next/navigation";
import { getDraft } from "@/lib/drafts/data";
import { type Draft, draftParams } from "@/lib/drafts/schema";
import { AppError } from "@/lib/errors";
import { idParams } from "@/lib/paging";
import type { SessionUser } from "@/lib/permissions";

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
    if (error instanceof AppError && error.status === 404) notFound();
    throw error;
  }
}

/** The draft that the address (`?draft=`) asks to continue, of this form or of a new one; null when it is gone. */
export async function draftOf(
  user: SessionUser,
  searchParams: Promise<Record<string, string | string[] | undefined>>,
  formId: number | null,
): Promise<Draft | null> {
  const parsed = draftParams.safeParse({ key: (await searchParams).draft });
  if (!parsed.success) return null;
  const draft = await getDraft(user, parsed.data.key).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  });
  return draft?.formId === formId ? draft : null;
}
