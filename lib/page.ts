import "server-only";
import { notFound } from "next/navigation";
import { AppError } from "@/lib/errors";
import { idParams } from "@/lib/paging";

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
