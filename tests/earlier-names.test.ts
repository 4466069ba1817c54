import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { PhoneticName } from "@/lib/clients/names";
import { EarlierNames } from "@/lib/transfer/imports/earlier-names";

// A dry run compares each name of a file, which may have a million, with the names of earlier rows.

/** A name as the database prepares it; its sounds are its words. */
const prepared = (name: string): PhoneticName => {
  const words = name.toLowerCase().split(" ");
  return { folded: words.join(" "), words, ways: [words] };
};
const numbersOf = (names: EarlierNames, name: string) =>
  names.alike(prepared(name)).map(({ number }) => number);

test("finds the first of many earlier names by its text, its sounds, and a shorter or reversed form", () => {
  const names = new EarlierNames();
  const count = 2_000;
  for (let number = 0; number < count; number += 1)
    names.add(prepared(`Ada${number} Lovelace`), { number, name: `Ada${number} Lovelace` });
  names.add(prepared("Lovelace Ada7"), { number: count, name: "Lovelace Ada7" });
  names.add(prepared("Grace"), { number: count + 1, name: "Grace" });
  const wrong = Array.from({ length: count }, (_, at) => at).filter(
    (at) => at !== 7 && numbersOf(names, `Ada${at} Lovelace`).join() !== String(at),
  );
  expect(wrong).toEqual([]);
  // The second one has another text, so that it is found by its own.
  expect(numbersOf(names, "Ada7 Lovelace")).toEqual([7]);
  expect(numbersOf(names, "Lovelace Ada7")).toEqual([count, 7]);
  expect(names.alike(prepared("Grace Hopper"))).toEqual([{ number: count + 1, name: "Grace" }]);
  expect(numbersOf(names, "Nobody Else")).toEqual([]);
  names.clear();
  expect(numbersOf(names, "Ada7 Lovelace")).toEqual([]);
});

test("finds a name with many pronunciations by the first of them", () => {
  const names = new EarlierNames();
  const ways = Array.from({ length: 16 }, (_, at) => [`sound ${at}`]);
  names.add({ folded: "one", words: ["one"], ways }, { number: 1, name: "One" });
  expect(names.alike({ folded: "two", words: ["two"], ways })).toEqual([{ number: 1, name: "One" }]);
});

test("holds the names outside the heap", () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const names = new EarlierNames();
  const before = heap();
  for (let number = 0; number < 40_000; number += 1) {
    const name = `Name${number} Of${number}`;
    names.add(prepared(name), { number, name });
  }
  // A map of these names takes more than 10 MB.
  expect(heap() - before).toBeLessThan(2_000_000);
  expect(numbersOf(names, "Name39999 Of39999")).toEqual([39_999]);
});
