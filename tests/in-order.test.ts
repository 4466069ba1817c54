import { describe, expect, test } from "vitest";
import { withMoved } from "@/components/settings/fields/with-moved";
import { flat, type Item, unitsOf } from "@/lib/core/fields/in-order";

const items: readonly Item[] = [
  { path: "e.a" },
  { path: "e.box" },
  { path: "e.second", beneath: ["e.box"] },
  { path: "e.first", beneath: ["e.box"] },
  { path: "e.deep", beneath: ["e.second"] },
  { path: "e.other" },
  { path: "e.text", beneath: ["e.box", "e.other"] },
  { path: "form.custom.one" },
  { path: "form.custom.two" },
];
const names = (order: readonly string[]) =>
  flat(unitsOf(items, order)).map(({ path }) => path.split(".").at(-1));

describe("the order of a section", () => {
  test("is the declared order by default, with dependent fields under the last of their checkboxes", () => {
    expect(names([])).toEqual(["a", "box", "second", "deep", "first", "other", "text", "one", "two"]);
  });

  test("moves a checkbox with all fields that stay under it", () => {
    const order = ["e.other", "e.box", "e.a"];
    expect(names(order)).toEqual(["other", "box", "second", "deep", "first", "text", "a", "one", "two"]);
  });

  test("orders the fields that stay under the same checkbox", () => {
    expect(names(["e.first", "e.second"]).slice(1, 5)).toEqual(["box", "first", "second", "deep"]);
  });

  test("puts an unlisted field after the one declared before it, and an unlisted custom field last", () => {
    const order = ["form.custom.two", "e.box", "e.other"];
    expect(names(order)).toEqual(["a", "two", "box", "second", "deep", "first", "other", "text", "one"]);
  });

  test("ignores paths of other sections", () => {
    expect(names(["x.y", "e.missing"])).toEqual(names([]));
  });

  test("leaves a field free if the section does not have its checkbox", () => {
    expect(flat(unitsOf([{ path: "e.x", beneath: ["e.gone"] }], []))).toHaveLength(1);
  });

  test("reads the path of each of 300 fields a few times", () => {
    let reads = 0;
    const many = Array.from({ length: 300 }, (_, n) => ({
      get path() {
        reads += 1;
        return `form.custom.own${n}`;
      },
    }));
    const order = Array.from({ length: 300 }, (_, n) => `form.custom.own${299 - n}`);
    expect(flat(unitsOf(many, order)).map((item) => item.path)).toEqual(order);
    expect(reads).toBeLessThan(20 * many.length);
  });

  test.each([
    ["e.other", -1, ["a", "other", "box", "text", "second", "deep", "first", "one", "two"]],
    ["e.second", 1, ["a", "box", "first", "second", "deep", "other", "text", "one", "two"]],
    ["form.custom.one", -1, ["a", "box", "second", "deep", "first", "one", "other", "text", "two"]],
  ] as const)("moves %s by %i step", (path, step, expected) => {
    const moved = flat(withMoved(unitsOf(items, []), path, step)).map((item) => item.path);
    expect(names(moved)).toEqual(expected);
  });
});
