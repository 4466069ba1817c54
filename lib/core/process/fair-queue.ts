import { turns } from "@/lib/core/process/turns";

type Waiting<T> = { begin: (value: T) => void; refuse: (error: Error) => void };

/**
 * A queue whose owners take turns. An owner with a hundred entries waits only for their own, and delays no other owner.
 * When `most` wait, the queue refuses the last entry of the owner with the most entries.
 */
export type FairQueue<T> = {
  /** Resolves with the value that `next` passes; rejects with `refusal` when the queue is full. */
  wait: (owner: string, refusal: () => Error) => Promise<T>;
  /** Passes `value` to the next caller in line. Returns false if no one is waiting. */
  next: (value: T) => boolean;
  size: () => number;
};

export function fairQueue<T>(most: number): FairQueue<T> {
  const waiting = turns<string, Waiting<T>>();

  /** Makes room: refuses the last entry of the owner with the most. False if the new caller would have as many. */
  function makePlace(owner: string, refusal: () => Error): boolean {
    const longest = waiting.longest() ?? owner;
    if (waiting.sizeOf(longest) <= waiting.sizeOf(owner) + 1) return false;
    waiting.takeLast(longest)?.refuse(refusal());
    return true;
  }

  return {
    wait: (owner, refusal) =>
      new Promise((begin, refuse) => {
        if (waiting.size() >= most && !makePlace(owner, refusal)) return refuse(refusal());
        waiting.add(owner, { begin, refuse });
      }),
    size: waiting.size,
    next(value) {
      const first = waiting.takeNext();
      first?.begin(value);
      return first !== undefined;
    },
  };
}

/**
 * Passes a value to the next in `queues`, which take turns. So no queue waits for more than one entry of each other.
 */
export function alternateQueues<T>(queues: readonly FairQueue<T>[]): FairQueue<T>["next"] {
  const turns = [...queues];
  return (value) => {
    turns.push(...turns.splice(0, 1));
    return turns.some((queue) => queue.next(value));
  };
}
