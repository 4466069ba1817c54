import { currentDefinitions } from "@/lib/core/fields/definitions";
import type { FieldFacts } from "@/lib/core/fields/facts";

// The order of all fields of a section, built-in and custom.

/** A field, or a part of a section with fields of its own, that has a place in a section. */
export type Item = {
  /** Such as `form.intakeForm.survivorEntry.childAges`; for a custom field, such as `form.custom.housingNeed`. */
  path: string;
  /** The paths of the fields it stays under: it comes after the last of them and moves with it. */
  beneath?: readonly string[];
};

/** An item with those that stay under it. */
export type Unit<One extends Item = Item> = { item: One; beneath: Unit<One>[] };

/** Returns the names of the fields that a field stays under: usually the checkboxes that it depends on. */
export const namesAbove = ({
  beneath,
  dependsOn,
}: Pick<FieldFacts, "beneath" | "dependsOn">): readonly string[] =>
  beneath ? [beneath] : (dependsOn?.boxes ?? []);

/** Returns the path of a custom field in the order of its section. */
export const customFieldPath = ({ record, key }: { record: string; key: string }): string =>
  `${record}.custom.${key}`;

const isOwn = ({ path }: Item) => path.split(".")[1] === "custom";

/**
 * Returns the declared items of a section in the organization's order. An item that `order` does not list follows the one
 * declared before it; a custom field comes last. A checkbox and the fields that depend on it move as a unit.
 */
export function unitsOf<One extends Item>(
  items: readonly One[],
  order: readonly string[] = currentDefinitions().order,
): Unit<One>[] {
  const paths = new Set(items.map(({ path }) => path));
  const above = ({ beneath = [] }: One) => beneath.filter((path) => paths.has(path));
  const arrange = (siblings: readonly One[]): One[] => {
    const byPath = new Map(siblings.map((one) => [one.path, one]));
    const listed = new Set(order.flatMap((path) => byPath.get(path) ?? []));
    const result = [...listed];
    for (const [at, one] of siblings.entries()) {
      if (listed.has(one)) continue;
      const before = siblings[at - 1];
      if (isOwn(one)) result.push(one);
      else result.splice(before ? result.indexOf(before) + 1 : 0, 0, one);
    }
    return result;
  };
  const free = arrange(items.filter((one) => above(one).length === 0));
  const beneath = new Map<string, One[]>();
  for (const one of items) {
    const boxes = above(one);
    if (boxes[0] === undefined) continue;
    const under = free.findLast((box) => boxes.includes(box.path))?.path ?? boxes[0];
    beneath.set(under, [...(beneath.get(under) ?? []), one]);
  }
  const unitOf = (item: One): Unit<One> => ({
    item,
    beneath: arrange(beneath.get(item.path) ?? []).map(unitOf),
  });
  return free.map(unitOf);
}

/** Returns the items of units in order. */
export const flat = <One extends Item>(units: readonly Unit<One>[]): One[] =>
  units.flatMap(({ item, beneath }) => [item, ...flat(beneath)]);

/** Returns the items of a section in the organization's order. */
export const inOrder = <One extends Item>(items: readonly One[], order?: readonly string[]): One[] =>
  flat(unitsOf(items, order));

/** Returns the order of all sections with the paths of one in a new order. Other sections do not depend on it. */
export const withOrder = (order: readonly string[], paths: readonly string[]): string[] => [
  ...order.filter((path) => !paths.includes(path)),
  ...paths,
];
