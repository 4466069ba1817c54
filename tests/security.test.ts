import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";

// docs/security.md states the status of each requirement of ASVS 5.0, levels 1 and 2.

type Requirement = { number: string; level: string; asks: string; state: string; where: string };
let text: string;
let requirements: Requirement[];

beforeAll(async () => {
  text = await readFile("docs/security.md", "utf8");
  requirements = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (.+?) \| (.*?) ?\|$/gm)].map(
    ([, number = "", level = "", asks = "", state = "", where = ""]) => ({
      number,
      level,
      asks,
      state,
      where,
    }),
  );
});

/** The number of level 1 and 2 requirements in each chapter. */
const CHAPTERS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

describe("docs/security.md", () => {
  test("lists each of the standard's requirements of levels 1 and 2 once, in order", () => {
    const numbers = requirements.map(({ number }) => number.split(".").map(Number));
    expect(CHAPTERS.map((_, index) => numbers.filter(([chapter]) => chapter === index + 1).length)).toEqual(
      CHAPTERS,
    );
    const place = ([a = 0, b = 0, c = 0]: number[]) => a * 10_000 + b * 100 + c;
    const places = numbers.map(place);
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  });

  test("marks each as met, not applicable or open, with a location or reason for those met or open", () => {
    for (const { number, state, where } of requirements) {
      expect(["met", "not applicable", "**open**"], number).toContain(state);
      if (state !== "not applicable") expect(where, number).not.toBe("");
    }
  });

  test("names a test or a file for each one that is met, or states why no test can show it", () => {
    const named =
      /`(?:tests|e2e|lib|components|emails|docs)\/[\w./-]+`|`(?:Caddyfile|docker-compose\.yml|\.env\.example|\.dockerignore)`/;
    const unnamed = requirements.filter(
      ({ state, where }) =>
        state === "met" && !named.test(where) && !where.startsWith("no test can show it: "),
    );
    expect(unnamed.map(({ number, where }) => `${number} ${where}`)).toEqual([]);
  });

  test("names only existing tests and files", () => {
    const named = [...text.matchAll(/`((?:tests|e2e|lib|components|emails|docs)\/[\w./-]+)`/g)].map(
      ([, file = ""]) => file,
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});

test("the address for reporting weaknesses is where tools look for it", async () => {
  expect(await readFile(".github/SECURITY.md", "utf8")).toContain("docs/security.md");
});
