import "server-only";
import { pool } from "@/lib/database/client";
import { migrationsCurrent } from "@/lib/database/migrations";

const WITHIN_MS = 2_000;

/** Whether the database answers, in time, and has exactly this program's migrations. */
export async function isHealthy(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), WITHIN_MS);
  });
  try {
    return await Promise.race([migrationsCurrent(pool()).catch(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}
