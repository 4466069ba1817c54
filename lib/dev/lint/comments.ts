// Finds comments that are not in plain American English (docs/develop/style.md). tests/comments.test.ts applies it to
// every source file, because the linter's plugins cannot read comments.

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
export function commentProblems(file: string, source: string): string[] {
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
