import "server-only";

/**
 * Lets `limit` pieces of work run at once; the others wait in order, having begun nothing. Work whose `signal` was
 * aborted meanwhile never begins: it rejects with the signal's reason when its turn comes.
 */
export function limiter(limit: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (running < limit) running += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      // The place goes to the next in line, or is free.
      const begin = waiting.shift();
      if (begin) begin();
      else running -= 1;
    }
  };
}
