import "server-only";
import { assertWritable, pool } from "@/lib/core/database/client";
import { migrationsCurrent } from "@/lib/core/database/migrations";
import { codeOf } from "@/lib/core/server/error-frames";
import { log } from "@/lib/core/server/log";

const TIMEOUT_MS = 2_000;

/** True if the database responds in time, has exactly this program's migrations, and can write. */
export async function isHealthy(): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } finally {
    clearTimeout(timer);
  }
}

let checking: Promise<boolean> | undefined;

/** Concurrent callers share one check, because anyone may ask. */
function check(): Promise<boolean> {
  checking ??= migrationsCurrent(pool())
    .then(async (current) => {
      if (current) await assertWritable();
      return current;
    })
    .catch((error: unknown) => {
      log.warn({ code: codeOf(error) }, "The health check failed");
      return false;
    })
    .finally(() => {
      checking = undefined;
    });
  return checking;
}
