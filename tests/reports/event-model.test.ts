import { describe, expect, test } from "vitest";
import { countAt } from "./event-model";
import { type Item, type Period, WORLDS } from "./event-worlds";

// The numbers worked out by hand agree with a second count that shares no code with the program.

const isPeriod = (item: Item): item is Period => "from" in item;

/** Returns a number, or the result of a sum, which must be right. */
function numberOf(expected: number | string): number {
  if (typeof expected === "number") return expected;
  const [sum = "", result] = expected.split(" = ");
  const total = sum.split(" + ").reduce((all, part) => all + Number(part), 0);
  expect(Number(result), expected).toBe(total);
  return total;
}
const numbersOf = (numbers: Readonly<Record<string, number | string>> = {}) =>
  Object.fromEntries(Object.entries(numbers).map(([line, number]) => [line, numberOf(number)]));

describe("a second count of a world of events and surveys agrees with its table:", () => {
  test.each(WORLDS.map((world) => [world.name, world] as const))("%s", (_, { items }) => {
    for (const [at, item] of items.entries()) {
      if (!isPeriod(item)) continue;
      const { fvpsa, pccd, behind, openSeries } = countAt(items.slice(0, at), item);
      expect(fvpsa).toEqual(numbersOf(item.fvpsa));
      if (item.pccd) expect(pccd).toEqual(numbersOf(item.pccd));
      for (const [line, names] of Object.entries(item.behind ?? {}))
        expect([line, behind[line] ?? []]).toEqual([line, names]);
      if (item.openSeries) expect(openSeries).toEqual(item.openSeries);
    }
  });

  test("there are twenty worlds or more", () => {
    expect(WORLDS.length).toBeGreaterThanOrEqual(20);
  });
});
