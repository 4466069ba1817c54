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
    next(value) {
      const [first] = lines;
      if (!first) return false;
      const [owner, line] = first;
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
export function alternateQueues<T>(queues: readonly FairQueue<T>[]): FairQueue<T>["next"] {
  const turns = [...queues];
  return (value) => {
    turns.push(...turns.splice(0, 1));
    return turns.some((queue) => queue.next(value));
  };
}
