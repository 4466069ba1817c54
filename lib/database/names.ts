import "server-only";
import type { Bind } from "@/lib/database/bind";
import type { Query } from "@/lib/database/client";
import type { Match } from "@/lib/database/list";
import { listRows } from "@/lib/database/statements";

// Name search. Names are folded by functions of the migrations, in one way for all searches (contract §1, "search").

/** A name prepared for comparing: without case, accents and marks; its words; and the sounds of each word. */
export type Folded = { folded: string; words: string[]; sounds: string[][] };

export async function fold(name: string): Promise<Folded> {
  const [folded] = await listRows<Folded>(
    "name folded",
    `SELECT fold_name($1) AS folded, name_words($1) AS words,
       COALESCE((SELECT json_agg(name_sounds(word)) FROM unnest(name_words($1)) AS word), '[]') AS sounds`,
    [name],
  );
  return folded ?? { folded: "", words: [], sounds: [] };
}

/** The words one by one, and names that lack one of them or have only its initial. */
export const shorterThan = (words: readonly string[]): string[] => [
  ...words,
  ...words.flatMap((word, index) =>
    [[], [word.charAt(0)]].map((instead) => words.toSpliced(index, 1, ...instead).join(" ")),
  ),
];

/** A name as many of them are compared at once. */
export type Heard = Pick<Folded, "folded" | "words"> & {
  /** How it may sound, with one sound of each word: the names that sound alike share one of these. */
  ways: string[][];
};

/** How many words of a name are heard; each may sound in two ways. */
const HEARD = 4;

/** Names prepared for `similarTo` (lib/clients/search.ts), in their order. An initial has no sound. */
export async function heard(query: Query, names: readonly string[]): Promise<Heard[]> {
  const found = await query<Folded>(
    `SELECT fold_name(name) AS folded, name_words(name) AS words, coalesce((
        SELECT json_agg(name_sounds(word)) FROM unnest(name_words(name)) AS word WHERE length(word) > 1), '[]') AS sounds
     FROM unnest($1::text[]) WITH ORDINALITY AS given (name, place) ORDER BY place`,
    [names],
  );
  return found.map(({ folded, words, sounds }) => {
    const ways = sounds
      .filter(({ length }) => length > 0)
      .slice(0, HEARD)
      .reduce<string[][]>((all, some) => all.flatMap((way) => some.map((sound) => [...way, sound])), [[]]);
    return { folded, words, ways: ways.filter(({ length }) => length > 0) };
  });
}

/** The keys of a name under which `alikeKeys` of a similar one may find it: its text, and how it may sound. */
export const ownKeys = ({ folded, ways }: Heard): string[] => [
  `=${folded}`,
  ...new Set(ways.map((way) => way.toSorted().join(" "))),
];
export const alikeKeys = (name: Heard): string[] => [
  ...ownKeys(name),
  ...shorterThan(name.words).map((text) => `=${text}`),
];

/** From this length, a trigram index finds a text anywhere in a name; an index of letter pairs finds shorter ones. */
export const TRIGRAM = 3;

/**
 * An indexable condition that the name of a client (alias `client`) contains `folded`, which must not be empty. For a
 * LIKE without trigrams, the planner would read the whole trigram index.
 */
export function holds(client: string, folded: string, bind: Bind): string {
  if (folded.split(" ").some((word) => word.length >= TRIGRAM))
    return `${client}.name_folded LIKE ${bind(`%${folded}%`)}`;
  const pairs = `name_pairs(${client}.name_folded) @> name_pairs(${bind(folded)})`;
  return folded.length < TRIGRAM ? pairs : `${pairs} AND strpos(${client}.name_folded, ${bind(folded)}) > 0`;
}

/** How many of the newest clients tell how common a name is. */
const SAMPLE = 500;
/** From so many of them on, rows in any order hold enough matches; looking for all of them by name would take longer. */
const COMMON = 25;
/** Up to so many, the clients who match are fewer than the rows of a list that is narrowed. */
const RARE = 5;

/** The folded text, and how many of the newest clients' names hold it. */
async function sampled(search: string): Promise<{ folded: string; known: number }> {
  const [found] = await listRows<{ folded: string; known: number }>(
    "name sampled",
    `WITH folded AS MATERIALIZED (SELECT fold_name($1) AS folded)
     SELECT folded, (SELECT count(*)::int FROM (SELECT name_folded FROM clients ORDER BY id DESC LIMIT ${SAMPLE}) AS newest
       WHERE strpos(name_folded, folded) > 0) AS known
     FROM folded`,
    [search],
  );
  return found ?? { folded: "", known: 0 };
}

/** Text in which folding removes nothing that matters to a search. */
export const PLAIN = /^[\p{L}\p{M}\p{N}\s.,'’ʼ`-]*$/u;

/** The rows of a list that show a client's name. */
type Named = {
  table: string;
  alias: string;
  /** The columns with the folded name and with the client's id. */
  name: string;
  clientId: string;
  /** The rows joined to their clients, and the alias of the clients. */
  joined: { from: string; client: string };
  /** Whether the list's conditions leave so few rows that an index on them and the name is faster. */
  narrow: boolean;
};

/**
 * A search for clients' names that contain the folded text. If the text has characters that folding removes, such as
 * `%`, the name must also contain it as typed.
 */
export async function nameSearch(search: string, rows: Named): Promise<Match> {
  const { table, alias, name, clientId, joined, narrow } = rows;
  const { folded, known } = await sampled(search);
  const typed = folded === "" || !PLAIN.test(search) ? search.trim().toLowerCase() : null;
  const asTyped = (client: string, bind: Bind) =>
    typed === null ? "true" : `strpos(lower(${client}.name), ${bind(typed)}) > 0`;
  const inName = (bind: Bind) => (folded === "" ? "true" : `strpos(${name}, ${bind(folded)}) > 0`);
  const where = (bind: Bind) =>
    typed === null
      ? inName(bind)
      : `${inName(bind)} AND EXISTS (SELECT FROM clients n WHERE n.id = ${clientId} AND ${asTyped("n", bind)})`;
  if (typed === null && known >= COMMON) return { where };
  return {
    where,
    hits: (bind, where) =>
      narrow && typed === null && known > RARE
        ? {
            from: `(SELECT id FROM ${table} ${alias} WHERE ${where} AND ${inName(bind)} OFFSET 0) AS hit
              JOIN ${table} ${alias} ON ${alias}.id = hit.id`,
            where: "true",
          }
        : {
            from: joined.from,
            where: `${where} AND ${folded === "" ? "true" : holds(joined.client, folded, bind)} AND ${asTyped(joined.client, bind)}`,
          },
  };
}
