import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { assertWritable, pool } from "@/lib/core/database/client";
import { migrationsCurrent } from "@/lib/core/database/migrations";
import { codeOf } from "@/lib/core/process/error-frames";
import { log } from "@/lib/core/process/log";

const TIMEOUT_MS = 2_000;

/** True if the database responds in time, has exactly this program's migrations, and can write. */
export const isHealthy = (): Promise<boolean> =>
  Promise.race([check(), sleep(TIMEOUT_MS, false, { ref: false })]);

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
