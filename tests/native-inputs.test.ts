import { readdirSync, readFileSync, statSync } from "node:fs";
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

test("the self-hosted face is one file of at most 60 KB, of the Open Font License", () => {
  const [, file = ""] =
    /src: "\.\.\/(node_modules\/[^"]+\.woff2)"/.exec(readFileSync("app/layout.tsx", "utf8")) ?? [];
  expect(statSync(file).size).toBeLessThanOrEqual(60 * 1024);
  expect(readFileSync(`${file.split("/files/")[0]}/LICENSE`, "utf8")).toContain(
    "SIL Open Font License, Version 1.1",
  );
});
