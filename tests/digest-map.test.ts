import { expect, test } from "vitest";
import { DigestMap } from "@/lib/transfer/imports/digest-map";

// An import remembers the rows of a file, which may have a million, by digests.

test("returns the number of each of many texts, and of no other text", () => {
  const map = new DigestMap();
  const count = 140_000;
  for (let at = 0; at < count; at += 1) map.set(`row ${at}`, at);
  map.set("", 7);
  for (let at = 0; at < count; at += 2) map.set(`row ${at}`, at + 1);
  const wrong = Array.from({ length: count }, (_, at) => at).filter(
    (at) => map.get(`row ${at}`) !== (at % 2 === 0 ? at + 1 : at) || map.get(`row ${at}.`) !== undefined,
  );
  expect(wrong).toEqual([]);
  expect([map.get(""), map.get(" "), new DigestMap().get("row 1")]).toEqual([7, undefined, undefined]);
});

test("has no former text after it is cleared, and takes new ones", () => {
  const map = new DigestMap();
  for (let at = 0; at < 70_000; at += 1) map.set(`row ${at}`, at);
  map.clear();
  map.set("row 5", 1);
  expect([map.get("row 4"), map.get("row 5"), map.get("row 69999")]).toEqual([undefined, 1, undefined]);
});
