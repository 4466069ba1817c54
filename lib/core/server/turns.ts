import "server-only";
import { tooMany } from "@/lib/core/api/errors";

/**
 * Returns a function that runs at most `limit` tasks at once, and one of each owner. Owners take turns, so that many
 * tasks of one delay no other. Throws 429 if `most` tasks of an owner wait already.
 */
export function turns({ limit, most }: { limit: number; most: number }) {
  const running = new Set<number>();
  /** The waiting tasks of each owner; the Map's order is the order of turns. */
  const lines = new Map<number, (() => void)[]>();

  function beginNext(): void {
    for (const [owner, line] of [...lines]) {
      if (running.size >= limit) return;
      if (running.has(owner)) continue;
      lines.delete(owner);
      running.add(owner);
      line.shift()?.();
      if (line.length > 0) lines.set(owner, line);
    }
  }

  return async function inTurn<T>(owner: number, work: () => Promise<T>): Promise<T> {
    const line = lines.get(owner) ?? [];
    if (line.length >= most)
      throw tooMany(60, "Too many files at once. Please wait until the others are read.");
    await new Promise<void>((begin) => {
      line.push(begin);
      lines.set(owner, line);
      beginNext();
    });
    try {
      return await work();
    } finally {
      running.delete(owner);
      beginNext();
    }
  };
}
