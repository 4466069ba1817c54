type Waiting<T> = { begin: (value: T) => void; refuse: (error: Error) => void };

/**
 * A waiting line whose callers take turns by whom they belong to, so that whoever sends a hundred waits for their own
 * and no other waits for them. When `most` wait, the last of whoever has most waiting is refused.
 */
export type FairQueue<T> = {
  /** Resolves with what `next` hands over; rejects with `refusal` when the line is full. */
  wait: (owner: string, refusal: () => Error) => Promise<T>;
  /** Hands `value` to the next in line; false if nobody waits. */
  next: (value: T) => boolean;
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
    next(value) {
      const [first] = lines;
      if (!first) return false;
      const [owner, line] = first;
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
