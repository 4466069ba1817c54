import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Browsers show them differently, some fill in today's date, and all drop what they cannot read. */
const NATIVE = /type=(?:["']|\{["'])(?:date|datetime-local|month|week|time|number)["']/;

const sources = ["app", "components"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
);

test.each(['<input type="date" />', "<input type={'time'} />", '<TextField type={"number"} />'])(
  "%s is a native input",
  (source) => expect(source).toMatch(NATIVE),
);

test("no screen uses a browser's own input for dates, times or numbers", () => {
  const screens = sources.filter((file) => file.endsWith(".tsx"));
  expect(screens.length).toBeGreaterThan(100);
  expect(screens.filter((file) => NATIVE.test(readFileSync(file, "utf8")))).toEqual([]);
});
