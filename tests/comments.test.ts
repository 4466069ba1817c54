import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commentProblems } from "@/lib/dev/lint/comments";

const FILES = [".", "app", "components", "e2e", "emails", "lib", "prisma", "tests"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== ".", encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .filter((file) => /\.(tsx?|mjs|css|prisma)$/.test(file))
  .filter((file) => !file.startsWith("lib/generated/") && file !== "tests/comments.test.ts");

/** Comments with a problem, each with the words that the rule reports. */
const PLANTED: [comment: string, problem: string][] = [
  ["/** What the form says. */", "has no main clause: What"],
  ["  // How long a link works.", "has no main clause: How long"],
  ["/**\n * Whose mail it is.\n */", "has no main clause: Whose"],
  ["{/* Whether it is open. */}", "has no main clause: Whether"],
  ["const a = 1; // Which row is meant", "has no main clause: Which"],
  ["// Asks whoever is signed in.", "is in dialect: whoever"],
  ["/* Reads it\n   anew. */", "is in dialect: anew"],
  ["// The row is there.\n// So is its key.", "inverts a clause: . So is"],
  ["// Its colour comes from the organisation.", "is in British spelling: colour"],
  ["/// The behaviour of a column.", "is in British spelling: behaviour"],
  ["// See contract §8.", "refers to a document outside of the repository: contract §"],
  ["// Fixed in issue #12.", "refers to a document outside of the repository: issue #1"],
];

/** Comments and code without a problem. */
const FINE = [
  "/** Returns what the form contains. */",
  "// An import that is `cancelled` can be undone.",
  "// biome-ignore lint/plugin: whom the reader may see",
  'const url = "https://example.org/colour"; const text = "What is it?";',
  "// So far nothing is stored. See docs/decisions/026-give-merged-keys-to-the-remaining-client.md.",
];

describe("comments", () => {
  test("of every source file are in plain American English", () => {
    expect(FILES.length).toBeGreaterThan(500);
    expect(FILES.flatMap((file) => commentProblems(file, readFileSync(file, "utf8")))).toEqual([]);
  });

  test.each(PLANTED)("like %s are refused", (comment, problem) => {
    expect(commentProblems("a.ts", `const a = 1;\n${comment}\nconst b = 2;\n`)).toEqual([
      expect.stringContaining(`a.ts:2 ${problem}`),
    ]);
  });

  test.each(FINE)("like %s are accepted", (source) => {
    expect(commentProblems("a.ts", source)).toEqual([]);
  });
});
