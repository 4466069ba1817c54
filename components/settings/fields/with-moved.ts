import type { Item, Unit } from "@/lib/core/fields/in-order";

/** Returns the units after one has moved a step up (-1) or down (1) among those that it can trade places with. */
export function withMoved<One extends Item>(
  units: readonly Unit<One>[],
  path: string,
  step: -1 | 1,
): Unit<One>[] {
  const from = units.findIndex(({ item }) => item.path === path);
  const unit = units[from];
  if (!unit) return units.map((one) => ({ ...one, beneath: withMoved(one.beneath, path, step) }));
  return units.toSpliced(from, 1).toSpliced(from + step, 0, unit);
}
