/** A seeded generator (Mulberry32): the demo data is the same on every machine. */
export function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  /** Returns one of the items, or undefined if there are none. */
  function pick<T>(items: readonly [T, ...T[]]): T;
  function pick<T>(items: readonly T[]): T | undefined;
  function pick<T>(items: readonly T[]) {
    return items[int(0, items.length - 1)];
  }
  return {
    int,
    chance: (probability: number) => next() < probability,
    pick,
    /** Returns `count` different items, in the order of the list. */
    some: <T>(items: readonly T[], count: number) =>
      items
        .map((item, place) => ({ item, place, key: next() }))
        .sort((a, b) => a.key - b.key)
        .slice(0, count)
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
  };
}
export type Random = ReturnType<typeof random>;
