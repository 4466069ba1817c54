type Waiting<T> = { begin: (value: T) => void; refuse: (error: Error) => void };

/**
 * A queue whose owners take turns. An owner with a hundred entries waits only for their own, and delays no other owner.
 * When `most` wait, the queue refuses the last entry of the owner with the most entries.
 */
export type FairQueue<T> = {
  /** Resolves with the value that `next` passes; rejects with `refusal` when the queue is full. */
  wait: (owner: string, refusal: () => Error) => Promise<T>;
  /** Passes `value` to the next in line, or to the first of `owner`. False if nobody waits. */
  next: (value: T, owner?: string) => boolean;
  size: () => number;
  /** Returns the owners who wait, in the order of their turns. */
  owners: () => string[];
};

export function fairQueue<T>(most: number): FairQueue<T> {
  /** The Map's order is the order of turns. */
  const lines = new Map<string, Waiting<T>[]>();
  let waiting = 0;

  /** Makes room: refuses the last of the longest line. False if that is the new caller's own line. */
  function makePlace(owner: string, refusal: () => Error): boolean {
    const [longest, line] = [...lines].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    );
    if (longest === owner || line.length <= (lines.get(owner)?.length ?? 0) + 1) return false;
    line.pop()?.refuse(refusal());
    waiting -= 1;
    return true;
  }

  return {
    wait: (owner, refusal) =>
      new Promise((begin, refuse) => {
        if (waiting >= most && !makePlace(owner, refusal)) return refuse(refusal());
        const line = lines.get(owner) ?? [];
        line.push({ begin, refuse });
        lines.set(owner, line);
        waiting += 1;
      }),
    size: () => waiting,
    owners: () => [...lines.keys()],
    next(value, owner = lines.keys().next().value) {
      const line = owner === undefined ? undefined : lines.get(owner);
      if (owner === undefined || !line) return false;
      const { begin } = line.shift() as Waiting<T>;
      waiting -= 1;
      // The owner moves to the end of the turns, or leaves them.
      lines.delete(owner);
      if (line.length > 0) lines.set(owner, line);
      begin(value);
      return true;
    },
  };
}

/**
 * Passes a value to the next in `queues`, which take turns. So no queue waits for more than one entry of each other.
 */
export function inTurn<T>(queues: readonly FairQueue<T>[]): FairQueue<T>["next"] {
  const turns = [...queues];
  return (value) => {
    turns.push(...turns.splice(0, 1));
    return turns.some((queue) => queue.next(value));
  };
}

/**
 * Runs at most `limit` tasks at once, and at most one of each owner. Others wait, and the owners take turns. Rejects
 * with `refusal` when `most` wait.
 */
export function fairLimiter(limit: number, most: number) {
  const running = new Set<string>();
  const waiting = fairQueue<void>(most);

  /** Starts the next task whose owner has none running. */
  function startNext(): void {
    const owner = waiting.owners().find((one) => !running.has(one));
    if (owner === undefined || running.size >= limit) return;
    // Set before the task begins, so that a new caller cannot take its place.
    running.add(owner);
    waiting.next(undefined, owner);
  }

  return async <T>(owner: string, refusal: () => Error, work: () => Promise<T>): Promise<T> => {
    if (running.size >= limit || running.has(owner)) await waiting.wait(owner, refusal);
    else running.add(owner);
    try {
      return await work();
    } finally {
      running.delete(owner);
      startNext();
    }
  };
}
