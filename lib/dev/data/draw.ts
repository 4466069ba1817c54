// SQL expressions of pseudorandom draws. A draw depends on the row's number, the seed and the name of the draw. It does
// not depend on the order in which PostgreSQL visits rows, so its plan and version change nothing.

export type Draws = ReturnType<typeof draws>;

/** Makes the draws of one seed. Every `row` is an SQL expression of the row's number. */
export function draws(seed: number) {
  /** Uniform between 0 and 1, excluding 1. Draws of the same row under other names are independent. */
  const even = (row: string, name: string) =>
    `((hashint8extended((${row})::bigint, ${hash(`${seed}:${name}`)}) & 9007199254740991)::float8 / 9007199254740992)`;
  return {
    even,
    chance: (row: string, name: string, probability: number) => `(${even(row, name)} < ${probability})`,
    /** A whole number from `low` to `high`. */
    whole: (row: string, name: string, low: number, high: number) =>
      `(${low} + floor(${even(row, name)} * ${high - low + 1}))::int`,
    /** One of the texts. A text that occurs twice is drawn twice as often. */
    text: (row: string, name: string, texts: readonly string[]) =>
      `(ARRAY[${texts.map(quote).join(", ")}])[1 + floor(${even(row, name)} * ${texts.length})::int]`,
    /** One of the ids; NULL if there are none. */
    id: (row: string, name: string, ids: readonly number[]) =>
      `('{${ids.join(",")}}'::int[])[1 + floor(${even(row, name)} * ${ids.length})::int]`,
    /**
     * A rank from 1 to `count`, the first most often. Rank r occurs about as often as 1/(r + flatness), like names and
     * people's work in reality.
     */
    rank: (row: string, name: string, count: number, flatness: number) =>
      `(1 + floor(${flatness} * power(${(count + flatness) / flatness}::float8, ${even(row, name)}) - ${flatness}))::int`,
  };
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return state >>> 0;
}
