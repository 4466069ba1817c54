/**
 * Returns items in their declared order, except that each one with a position is moved there. Positions count the items
 * of the result from 0; a position past the end is the end.
 */
export function arranged<Item>(
  items: readonly Item[],
  positionOf: (item: Item) => number | null | undefined,
): Item[] {
  const placed = items.map((item) => ({ item, position: positionOf(item) ?? null }));
  const result = placed.filter(({ position }) => position === null).map(({ item }) => item);
  const moved = placed.flatMap(({ item, position }) => (position === null ? [] : [{ item, position }]));
  for (const { item, position } of moved.toSorted((a, b) => a.position - b.position))
    result.splice(position, 0, item);
  return result;
}
