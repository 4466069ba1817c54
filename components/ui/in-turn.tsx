import { type ReactNode, use } from "react";

/** Resolves after so many turns of the event loop, in which the server also serves other requests. */
const turnsOfLoop = (count: number): Promise<void> =>
  new Promise((resolve) => {
    const next = (left: number) => (left > 0 ? setImmediate(next, left - 1) : resolve());
    next(count);
  });

/**
 * A part of a long page. The server renders it `turn` turns of the event loop after the page began, so that a page of the
 * largest record does not delay other requests. Parts with different turns are rendered one after the other. The response
 * is complete as without it, and the browser renders the part at once.
 */
export function InTurn({ turn, children }: { turn: number; children: ReactNode }) {
  if (typeof window === "undefined" && turn > 0) use(turnsOfLoop(turn));
  return children;
}

/** Returns the items in groups of at most `size`, in order, for one `InTurn` each. */
export const groupsOf = <Item,>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
