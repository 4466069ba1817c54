import "server-only";
import { databaseAnswers } from "@/lib/core/database/client";
import { unavailable } from "@/lib/core/errors";

/**
 * The time after which the program checks whether the database responds at all. Together with the check, it stays below
 * 5 s.
 */
const SLOW_MS = 3_000;

/**
 * Gives up on slow work when the database does not respond, and aborts `silence`. The work may wait for its turn, a
 * thread or a connection. It may still be committed later; callers repeat it with the same Idempotency-Key.
 */
export function whileDatabaseAnswers<T>(silence: AbortController, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setInterval(async () => {
      if (await databaseAnswers()) return;
      silence.abort();
      reject(unavailable());
    }, SLOW_MS).unref();
    work.then(resolve, reject).finally(() => clearInterval(timer));
  });
}
