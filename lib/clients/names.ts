import "server-only";
import { selectClients, withoutActor } from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { listRows } from "@/lib/core/database/statements";
import { and, empty, type Sql, sql } from "@/lib/core/sql";
import { symbolsIn } from "@/lib/core/text/fold-text";

// Name search. Functions of the migrations fold names, in the same way for all searches.

/**
 * A name prepared for comparison: without case, accents and marks; its words; and the sounds of each word.
 */
type Folded = { folded: string; words: string[]; sounds: string[][] };

export async function fold(name: string): Promise<Folded> {
  const [folded] = await listRows<Folded>(
    "name folded",
    sql`SELECT fold_name(${name}) AS folded, name_words(${name}) AS words,
       COALESCE((SELECT json_agg(name_sounds(word)) FROM unnest(name_words(${name})) AS word), '[]') AS sounds`,
  );
  return folded ?? { folded: "", words: [], sounds: [] };
}

/** Returns the single words, and the names that lack one of them or have only its initial. */
export const shorterThan = (words: readonly string[]): string[] =>
  [
    ...words,
    ...words.flatMap((word, index) =>
      [[], [word.charAt(0)]].map((instead) => words.toSpliced(index, 1, ...instead).join(" ")),
    ),
    // Nothing is left of a single word without it, as of all names of symbols only.
  ].filter((name) => name !== "");

/** A name prepared for comparison with many others. */
export type PhoneticName = Pick<Folded, "folded" | "words"> & {
  /** The possible pronunciations, with one sound of each word. Names that sound alike share one of these. */
  ways: string[][];
};

/** The number of words of a name whose sounds are used; each may have two sounds. */
const PHONETIC_WORDS_MAX = 4;

/** Prepares names for `similarTo` (lib/clients/search.ts), in order. An initial has no sound. */
export async function readPhoneticNames(query: Query, names: readonly string[]): Promise<PhoneticName[]> {
  const foldedNames = await query<Folded>(
    sql`SELECT fold_name(name) AS folded, name_words(name) AS words, coalesce((
        SELECT json_agg(name_sounds(word)) FROM unnest(name_words(name)) AS word WHERE length(word) > 1), '[]') AS sounds
     FROM unnest(${names}::text[]) WITH ORDINALITY AS given (name, place) ORDER BY place`,
  );
  return foldedNames.map(({ folded, words, sounds }) => {
    const ways = sounds
      .filter(({ length }) => length > 0)
      .slice(0, PHONETIC_WORDS_MAX)
      .reduce<string[][]>((all, some) => all.flatMap((way) => some.map((sound) => [...way, sound])), [[]]);
    return { folded, words, ways: ways.filter(({ length }) => length > 0) };
  });
}

/**
 * Returns the keys under which `alikeKeys` of a similar name may find this one: its text and its pronunciations.
 */
export const nameKeys = ({ folded, ways }: PhoneticName): string[] => [
  `=${folded}`,
  ...new Set(ways.map((way) => way.toSorted().join(" "))),
];
export const alikeKeys = (name: PhoneticName): string[] => [
  ...nameKeys(name),
  ...shorterThan(name.words).map((text) => `=${text}`),
];

/** The most words of a search that indexes answer. A name that has these is read for the others. */
const INDEXED_WORDS_MAX = 8;
/** The most words without three letters for whose text the index of letter pairs is used: it is slow to compute. */
const PAIRED_WORDS_MAX = 3;

/**
 * From this length on, a trigram index finds a text anywhere in a name. An index of letter pairs finds shorter ones.
 */
const TRIGRAM_LETTERS = 3;

/** Returns an indexable condition that a word of the folded name of a client (alias `c`) begins with a folded word. */
export const hasWordFrom = (word: string): Sql =>
  // Folded text contains none of the characters that are special to LIKE.
  sql`(c.name_folded LIKE ${`${word}%`} OR c.name_folded LIKE ${`% ${word}%`})`;

/**
 * Returns an indexable condition that the folded name of a client (alias `c`) has one of several words of a search. One
 * or two letters must begin a word, because most names contain them.
 */
export const hasWord = (word: string): Sql =>
  word.length < TRIGRAM_LETTERS ? hasWordFrom(word) : sql`c.name_folded LIKE ${`%${word}%`}`;

/**
 * Returns an indexable condition that the name of a client (alias `c`) contains `folded`, which must not be empty. For
 * a LIKE without trigrams, the planner would read the whole trigram index.
 */
function containsFolded(folded: string): Sql {
  if (folded.split(" ").some((word) => word.length >= TRIGRAM_LETTERS))
    return sql`c.name_folded LIKE ${`%${folded}%`}`;
  const pairs = sql`name_pairs(c.name_folded) @> name_pairs(${folded})`;
  if (folded.length < TRIGRAM_LETTERS) return pairs;
  const isIn = sql`strpos(c.name_folded, ${folded}) > 0`;
  return folded.split(" ").length > PAIRED_WORDS_MAX ? isIn : sql`${pairs} AND ${isIn}`;
}

/** How conditions on a folded name are written: `hasWord` for the first words, `hasOther` for more. */
type Conditions = Record<"hasWord" | "hasOther", (word: string) => Sql> & {
  contains: (folded: string) => Sql;
};

/** Returns the condition that a column has one of several words of a search, as `hasWord` but without an index. */
const wordIn = (name: Sql) => (word: string) =>
  word.length < TRIGRAM_LETTERS
    ? sql`strpos(' ' || ${name}, ${` ${word}`}) > 0`
    : sql`strpos(${name}, ${word}) > 0`;

const ofClient: Conditions = { hasWord, hasOther: wordIn(sql`c.name_folded`), contains: containsFolded };

/** Returns the same conditions on a column, which no index answers. */
const onColumn = (name: Sql): Conditions => ({
  hasWord: wordIn(name),
  hasOther: wordIn(name),
  contains: (folded) => sql`strpos(${name}, ${folded}) > 0`,
});

/** Returns the condition that a name has all words of the folded text in any order, or contains the text as it is. */
function matchesAll(folded: string, { hasWord, hasOther, contains }: Conditions): Sql {
  const words = [...new Set(folded.split(" "))].sort((one, other) => other.length - one.length);
  if (folded === words[0]) return contains(folded);
  const all = and([
    ...words.slice(0, INDEXED_WORDS_MAX).map(hasWord),
    ...words.slice(INDEXED_WORDS_MAX).map(hasOther),
  ]);
  return words.every(({ length }) => length >= TRIGRAM_LETTERS) ? all : sql`(${all} OR ${contains(folded)})`;
}

/**
 * The most clients whose ids a list is narrowed to. With more matches, reading in list order soon finds a page.
 */
const NARROWED_CLIENTS_MAX = 5_000;

/** The columns of a list with the folded name and the id of a client. */
type Named = { name: Sql; clientId: Sql };

/**
 * Returns the condition that the client's name matches the search as in `searchClients` (lib/clients/search.ts). If the
 * search has characters that folding removes, such as `%`, the name must also contain these.
 */
export async function nameSearch(search: string, { name, clientId }: Named): Promise<Sql> {
  const { folded } = await fold(search);
  const symbols = folded === "" ? [search.trim()].filter(Boolean) : symbolsIn(search);
  const hasSymbols = symbols.map((symbol) => sql`strpos(c.name, ${symbol}) > 0`);
  const matches = and([...(folded === "" ? [] : [matchesAll(folded, ofClient)]), ...hasSymbols]);
  const visible = withoutActor("the list has its own condition");
  const byName = selectClients(sql`c.id`, visible, matches);
  const matchingClients = await listRows<{ id: number }>(
    "clients by name",
    sql`${byName} LIMIT ${NARROWED_CLIENTS_MAX + 1}`,
  );
  const ids = matchingClients.map(({ id }) => id);
  if (ids.length <= NARROWED_CLIENTS_MAX) return sql`${clientId} = ANY(${ids}::int[])`;
  return hasSymbols.length === 0 && folded !== ""
    ? matchesAll(folded, onColumn(name))
    : sql`EXISTS (${selectClients(empty, visible, sql`c.id = ${clientId} AND ${matches}`)})`;
}
