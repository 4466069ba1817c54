import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

// Finds comments that are not in plain American English (docs/develop/style.md), because the linter's plugins cannot read
// comments.

/** A comment of several lines counts as one. `//` inside a line needs white space before it, unlike that of a URL. */
const COMMENT = /^[\t ]*\{?\/\*[\s\S]*?\*\/|^[\t ]*\/\/.*(?:\n[\t ]*\/\/.*)*|(?<=\S[\t ]+)\/\/[\t ].*/gm;

const RULES: readonly [problem: string, pattern: RegExp][] = [
  [
    "has no main clause",
    /^(?:(?:from|to|of|by|for|with) whom|what|whom?|whoever|whose|which|whether|where|how (?:many|much|long|often|far|old))\b/i,
  ],
  [
    "is in dialect",
    /\b(?:whoever|whom(?:ever)?|anew|beside|likewise|thereby|therein|whereby|for ever|at hand|spoken of|looked for|(?:is|are|was) told|stands? (?:in|under|before|behind)|(?:goes|go|went) out|makes? it known)\b/i,
  ],
  ["inverts a clause", /(?:^|[.;:] )(?:So|Nor) (?:is|are|was|were|do|does|did|has|have|can)\b/],
  [
    "is in British spelling",
    /\b(?:(?:author|capital|categor|custom|final|general|initial|local|maxim|minim|normal|optim|organ|prior|real|recogn|sanit|serial|standard|summar|synchron|util|visual)is(?:e[ds]?|ing|ations?|ers?)|\w*(?:behavi|col|fav|hon|neighb)our\w*|(?:cancel|label|model|travel)l(?:ed|ing)|catalogue|centre|grey|licence|whilst)\b/i,
  ],
  [
    "refers to a document outside of the repository",
    /\b(?:spec|contract|design|style)(?:\.md)? §|\bissue #?\d|\bdecision \d|\.\.\/shared\b/i,
  ],
];

/** Returns the text of a comment without its marks. Code in backticks has names of its own, so it is left out. */
const textOf = (comment: string): string =>
  comment
    .replaceAll(/^[\t ]*(?:\{?\/\*+|\*\/\}?|\*|\/{2,3})[\t ]?|\*\/$/gm, "")
    .replaceAll(/`[^`]*`/g, "code")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Returns a line for each problem of a file's comments, with the number of the line where the comment begins. */
function commentProblems(file: string, source: string): string[] {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const text = textOf(comment);
    if (text.startsWith("biome-ignore")) return [];
    const line = source.slice(0, index).split("\n").length;
    return RULES.filter(([, pattern]) => pattern.test(text)).map(
      ([problem, pattern]) =>
        `${file}:${line} ${problem}: ${pattern.exec(text)?.[0]} in “${text.slice(0, 80)}”`,
    );
  });
}

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
