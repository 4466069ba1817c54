import "server-only";
import { unavailable } from "@/lib/core/api/errors";
import { databaseAnswers } from "@/lib/core/database/client";

/**
 * The time after which the program checks whether the database responds at all. Together with the check, it stays below
 * 5 s.
 */
const SLOW_MS = 3_000;
const POLL_MS = 250;

type Flight = { due: number; giveUp: () => void };
const inFlight = new Set<Flight>();
let timer: NodeJS.Timeout | undefined;

/**
 * Gives up on slow work when the database does not respond, and aborts `silence`. The work may wait for its turn, a
 * thread or a connection. The work may still be committed later; callers repeat it with the same Idempotency-Key. One
 * timer serves all current requests.
 */
export function whileDatabaseAnswers<T>(silence: AbortController, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      silence.abort();
      reject(unavailable());
    };
    const flight = { due: Date.now() + SLOW_MS, giveUp };
    inFlight.add(flight);
    timer ??= setInterval(() => void look(), POLL_MS).unref();
    work.then(resolve, reject).finally(() => inFlight.delete(flight));
  });
}

async function look(): Promise<void> {
  if (inFlight.size === 0) {
    clearInterval(timer);
    timer = undefined;
    return;
  }
  const late = [...inFlight].filter(({ due }) => due <= Date.now());
  if (late.length === 0) return;
  const answers = await databaseAnswers();
  for (const flight of late) {
    if (answers) flight.due = Date.now() + SLOW_MS;
    else flight.giveUp();
  }
}
