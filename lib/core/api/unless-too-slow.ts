import "server-only";
import { AppError } from "@/lib/core/errors";
import { isDisconnected } from "@/lib/core/process/request-context";

/**
 * Returns a list for its screen. If reading it took too long, returns `empty` with the reason, which is shown in place
 * of the rows.
 */
export async function unlessTooSlow<List>(
  reading: Promise<List>,
  empty: List,
): Promise<List & { failed: string | string[] | null }> {
  try {
    return { ...(await reading), failed: null };
  } catch (error) {
    if (isDisconnected()) return { ...empty, failed: null };
    if (error instanceof AppError && error.code === "too_slow") return { ...empty, failed: error.messages };
    throw error;
  }
}
