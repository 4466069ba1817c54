type Waiting<T> = { begin: (value: T) => void; refuse: (error: Error) => void };

/**
 * A waiting line whose callers take turns by whom they belong to, so that whoever sends a hundred waits for their own
 * and no other waits for them. When `most` wait, the last of whoever has most waiting is refused.
 */
export type FairQueue<T> = {
  /** Resolves with what `next` hands over; rejects with `refusal` when the line is full. */
  wait: (owner: string, refusal: () => Error) => Promise<T>;
  /** Hands `value` to the next in line, or to the first of `owner`; false if nobody waits. */
  next: (value: T, owner?: string) => boolean;
  /** Returns how many wait. */
  size: () => number;
  /** The owners who wait, in the order of their turns. */
  owners: () => string[];
};

export function fairQueue<T>(most: number): FairQueue<T> {
  /** In the order of their turns. */
  const lines = new Map<string, Waiting<T>[]>();
  let waiting = 0;

  /** Makes a place: refuses the last of the longest line, or answers false when that is the newcomer's own. */
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
      // To the end of the turns, or away.
      lines.delete(owner);
      if (line.length > 0) lines.set(owner, line);
      begin(value);
      return true;
    },
  };
}

/** Hands a value to the next in `queues`, which take turns, so that none waits for more than one of each other. */
export function inTurn<T>(queues: readonly FairQueue<T>[]): FairQueue<T>["next"] {
  const turns = [...queues];
  return (value) => {
    turns.push(...turns.splice(0, 1));
    return turns.some((queue) => queue.next(value));
  };
}

/**
 * Runs at most `limit` tasks at once, and of each owner one. Others wait, and the owners take turns. Rejects with
 * `refusal` when `most` wait.
 */
export function fairLimiter(limit: number, most: number) {
  const running = new Set<string>();
  const waiting = fairQueue<void>(most);

  /** Starts the next task whose owner has none running. */
  function startNext(): void {
    const owner = waiting.owners().find((one) => !running.has(one));
    if (owner === undefined || running.size >= limit) return;
    // Before the task begins, so that a newcomer cannot take its place.
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
