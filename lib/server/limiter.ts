import "server-only";
import { AsyncLocalStorage } from "node:async_hooks";

type Place = { take(): Promise<void>; leave(): void };
const held = new AsyncLocalStorage<Place>();

/**
 * Lets `limit` pieces of work run at once; the others wait in order, having begun nothing. Work whose `signal` was
 * aborted meanwhile never begins: it rejects with the signal's reason when its turn comes.
 */
export function limiter(limit: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  const place: Place = {
    async take() {
      if (running < limit) running += 1;
      else await new Promise<void>((begin) => waiting.push(begin));
    },
    /** It goes to the next in line, or is free. */
    leave() {
      const begin = waiting.shift();
      if (begin) begin();
      else running -= 1;
    },
  };

  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    await place.take();
    try {
      signal.throwIfAborted();
      return await held.run(place, work);
    } finally {
      place.leave();
    }
  };
}

/**
 * Does what takes long and is not what the limiter guards: the work it is part of leaves its place meanwhile and
 * stands in line again afterwards. One at a time in each piece of work; outside of any, it is just done.
 */
export async function aside<T>(task: () => Promise<T>): Promise<T> {
  const place = held.getStore();
  if (!place) return task();
  place.leave();
  try {
    return await held.exit(task);
  } finally {
    await place.take();
  }
}
