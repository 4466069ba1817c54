import "server-only";
import { auditRead } from "@/lib/audit/record";
import type { ClientHit } from "@/lib/clients/api-schema";
import { fold, hasWord, hasWordFrom, type PhoneticName, shorterThan } from "@/lib/clients/names";
import type { SessionUser } from "@/lib/core/access/permissions";
import {
  openFormsWhere,
  selectClients,
  type VisibleClients,
  visibleClientsWhere,
} from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { listRows } from "@/lib/core/database/statements";
import { and, constant, empty, identifier, join, type Sql, sql } from "@/lib/core/sql";

/** Returns the columns of a result. */
const hit = (actor: SessionUser): Sql =>
  sql`c.id, c.name, u.first_name || ' ' || u.last_name AS advocate,
  (SELECT extract(year FROM b.date_of_birth)::int FROM client_biographical_entries b WHERE b.client_id = c.id) AS "yearOfBirth",
  (SELECT created_on::text FROM clients WHERE id = c.id) AS "createdOn",
  (SELECT count(*)::int FROM forms f WHERE f.client_id = c.id AND ${openFormsWhere(actor)}) AS forms`;

/** The most search results. */
const RESULTS_MAX = 20;
/**
 * The most matches that an index collects and sorts. With more matches, reading in order of names finds the first ones
 * quickly.
 */
const SORTED_MATCHES_MAX = 1_000;

/**
 * Returns at most 20 clients whose name contains every word of `search` in any order, ignoring case, accents and
 * apostrophes. First names that begin with the search, then names with words that begin with it, then the rest.
 * Without a search, returns the newest clients.
 */
export const searchClients = (actor: SessionUser, search: string): Promise<ClientHit[]> =>
  recordHits(actor, findClients(actor, search));

/** Records which clients a search returned. */
async function recordHits(actor: SessionUser, search: Promise<ClientHit[]>): Promise<ClientHit[]> {
  const hits = await search;
  await auditRead(actor, { action: "searched", entity: "client", shown: hits.map(({ id }) => id) });
  return hits;
}

async function findClients(actor: SessionUser, search: string): Promise<ClientHit[]> {
  if (search.trim() === "") {
    return listRows(
      "newest clients",
      sql`SELECT ${hit(actor)} FROM clients c JOIN users u ON u.id = c.user_id
       WHERE ${visibleClientsWhere(actor)} ORDER BY c.created_on DESC, c.id DESC LIMIT ${constant(RESULTS_MAX)}`,
    );
  }
  const { folded, words } = await fold(search);
  if (words.length === 0) return [];
  const starts = words.map(hasWordFrom);
  const holds = words.map(hasWord);
  const visible = visibleClientsWhere(actor);
  // Each tier includes the one before, and runs only if that one returned too few.
  const tiers = [
    sql`tier1 AS MATERIALIZED (SELECT c.id, c.name_folded FROM clients c
       WHERE ${visible} AND c.name_folded >= ${folded} AND c.name_folded < ${folded}::text || chr(1114111)
       ORDER BY c.name_folded, c.id LIMIT ${constant(RESULTS_MAX)})`,
    ...firstByName("tier2", visible, starts, sql`(SELECT count(*) FROM tier1) < ${constant(RESULTS_MAX)}`),
    ...firstByName(
      "tier3",
      visible,
      holds,
      sql`(SELECT count(*) FROM tier2) < ${constant(RESULTS_MAX)} AND (SELECT count(*) FROM tier1) < ${constant(RESULTS_MAX)}`,
    ),
  ];
  return listRows(
    "clients searched",
    // biome-ignore lint/plugin: the tiers hold visible clients
    sql`WITH ${join(tiers)},
     found AS (SELECT id, min(tier) AS tier FROM (
       SELECT id, 1 AS tier FROM tier1 UNION ALL SELECT id, 2 FROM tier2 UNION ALL SELECT id, 3 FROM tier3
     ) AS tiers GROUP BY id)
     SELECT ${hit(actor)} FROM found JOIN clients c USING (id) JOIN users u ON u.id = c.user_id
     ORDER BY tier, c.name_folded, c.id LIMIT ${constant(RESULTS_MAX)}`,
  );
}

/** Returns the parts of a statement that read clients by name and keep the matches, if `gate` is true. */
function firstByName(name: string, visible: VisibleClients, conditions: readonly Sql[], gate: Sql): Sql[] {
  const condition = and(conditions);
  const part = identifier(name);
  const few = identifier(`${name}_few`);
  const matches = identifier(`${name}_found`);
  const count = sql`(SELECT count(*) FROM ${few})`;
  return [
    sql`${few} AS MATERIALIZED (
      SELECT c.id, c.name_folded FROM clients c WHERE ${gate} AND ${visible} AND ${condition} LIMIT ${constant(SORTED_MATCHES_MAX + 1)})`,
    // OFFSET 0 makes the planner read in order of names, which soon finds enough rows.
    sql`${part} AS MATERIALIZED (SELECT * FROM (
       SELECT * FROM ${few} WHERE ${count} <= ${constant(SORTED_MATCHES_MAX)}
       UNION ALL
       (SELECT c.id, c.name_folded FROM (SELECT * FROM clients ORDER BY name_folded, id OFFSET 0) AS c
        WHERE ${count} > ${constant(SORTED_MATCHES_MAX)} AND ${visible} AND ${condition} LIMIT ${constant(RESULTS_MAX)})
     ) AS ${matches} ORDER BY name_folded, id LIMIT ${constant(RESULTS_MAX)})`,
  ];
}

/** The most similar clients returned. */
const SIMILAR_MAX = 5;
/** The number of candidates with shared sounds or spellings that are compared word by word. */
const COMPARED_MAX = 60;
/**
 * The number of candidates ranked for that. If more than this share only some of the words, sharing them means little.
 */
const RANKED_MAX = 300;
/** The number of candidates with the most similar spelling that are compared word by word. */
const NEAREST_MAX = 20;
/** The similarity from which two words count as the same. */
const SAME_WORD_SIMILARITY = 0.775;
/** From this length on, a word with one wrong letter counts as the same, no matter how it sounds. */
const LONG_WORD_LETTERS = 8;

/**
 * Returns at most 5 clients who may be the person called `name`, most likely first. Each word of the shorter name must
 * match a word of the longer one, in any order. Two words match if they are spelled nearly the same. They match if they
 * sound the same and their spellings are not too different. They also match if one is the beginning of the other (an
 * initial, a short form).
 */
export const similarClients = (actor: SessionUser, name: string): Promise<ClientHit[]> =>
  recordHits(actor, findSimilar(actor, name));

async function findSimilar(actor: SessionUser, name: string): Promise<ClientHit[]> {
  const { folded, words, sounds } = await fold(name);
  if (words.length === 0) return [];
  const alike = words.map((word, index) => likeWord(word, sounds[index] ?? []));
  // Many names share an initial.
  const overlaps = words.map(
    ({ length }, index) => sql`${constant(length === 1 ? 1 : 2)} * (${alike[index] ?? empty})::int`,
  );
  const visible = visibleClientsWhere(actor);
  const others = words.map((_, index) => and(alike.filter((_, other) => other !== index)));
  // These conditions run only while few names contain all the words. With two words, each one's `others` is the other
  // word.
  const partly = words.length > 2 ? [...others, ...alike] : words.length === 2 ? alike : [];
  const isSpelledAlike = sql`replace(name_folded, ' ', '') = replace(${folded}, ' ', '')`;
  const isShorter = sql`name_folded = ANY(${shorterThan(words)})`;
  const clients = (where: Sql, most: number) =>
    sql`SELECT id FROM clients c WHERE ${visible} AND ${where} LIMIT ${constant(most)}`;
  const candidates = [
    sql`SELECT id FROM wholly`,
    sql`SELECT id FROM (${clients(isShorter, COMPARED_MAX)}) AS shorter`,
    ...partly.map(
      (condition) => sql`SELECT id FROM (
        SELECT id, count(*) OVER () AS many
        FROM (${clients(sql`(SELECT count(*) FROM wholly) < ${constant(COMPARED_MAX)} AND ${condition}`, RANKED_MAX + 1)}) AS counted
      ) AS partly WHERE many <= ${constant(RANKED_MAX)}`,
    ),
  ];
  return listRows<ClientHit>(
    "clients of similar names",
    // biome-ignore lint/plugin: the candidates are visible clients
    sql`WITH wholly AS MATERIALIZED (
       SELECT id FROM (${clients(and(alike), RANKED_MAX)}) AS whole
       UNION SELECT id FROM (${clients(isSpelledAlike, COMPARED_MAX)}) AS spelled
     ),
     ranked AS (${join(candidates, " UNION ")}),
     compared AS (
       SELECT c.id, c.name, c.user_id, c.name_folded, name_words(c.name) AS words FROM ranked JOIN clients c USING (id)
       ORDER BY ${join(overlaps, " + ")} DESC, similarity(c.name_folded, ${folded}) DESC, c.id
       LIMIT ${constant(COMPARED_MAX)}
     )
     SELECT ${hit(actor)} FROM compared c JOIN users u ON u.id = c.user_id,
       ${partnersOf(sql`${words}::text[]`, sql`c.words`)}
     GROUP BY c.id, c.name, c.name_folded, u.id, given, found
     HAVING ${isAlike(sql`${folded}`, sql`c.name_folded`)}
     ORDER BY avg(best) DESC, c.name_folded, c.id LIMIT ${constant(SIMILAR_MAX)}`,
  );
}

/**
 * Returns an SQL condition, answerable by indexes, that a client's name may contain a word that matches this one.
 */
function likeWord(word: string, sounds: string[]): Sql {
  const holds = (text: string) => sql`c.name_folded LIKE ${text}`;
  const conditions = [sql`c.name_sounds && ${sounds}::text[]`];
  // Any word that this initial may abbreviate.
  if (word.length === 1) conditions.push(holds(`${word}%`), holds(`% ${word}%`));
  // With one wrong letter, one half of the word is still right.
  const half = word.length >> 1;
  if (word.length >= LONG_WORD_LETTERS)
    conditions.push(holds(`%${word.slice(0, half)}%`), holds(`%${word.slice(half)}%`));
  return sql`(${join(conditions, " OR ")})`;
}

/**
 * SQL that compares the words of two names. It has their numbers, and in `partners` the best partner of each given word
 * (`found_at` is null) and of each found word (`given_at` is null).
 */
const partnersOf = (givenWords: Sql, foundWords: Sql): Sql =>
  sql`cardinality(${givenWords}) AS given, cardinality(${foundWords}) AS found,
   LATERAL (
     SELECT given_at, found_at, max(likeness) AS best
     FROM ${soundedWords(givenWords)} AS a(given_word, given_at, given_sounds),
       ${soundedWords(foundWords)} AS b(found_word, found_at, found_sounds),
       LATERAL (SELECT 1 - levenshtein(given_word, found_word)::float / greatest(length(given_word), length(found_word)) AS spelled) AS s,
       LATERAL (SELECT greatest(
         CASE WHEN spelled = 1 THEN 1 ELSE 0.9 * spelled END,
         CASE WHEN starts_with(given_word, found_word) OR starts_with(found_word, given_word) THEN 0.8 END,
         CASE WHEN given_sounds && found_sounds THEN 0.5 + 0.5 * spelled END
       ) AS likeness) AS l
     GROUP BY GROUPING SETS ((given_at), (found_at))
   ) AS partners`;

/** SQL boolean: two names are similar, judged by their folded text and, in groups, their `partners`. */
const isAlike = (given: Sql, found: Sql): Sql =>
  sql`(replace(${found}, ' ', '') = replace(${given}, ' ', '')
    OR (given > found OR min(best) FILTER (WHERE found_at IS NULL) >= ${constant(SAME_WORD_SIMILARITY)})
      AND (found > given OR min(best) FILTER (WHERE given_at IS NULL) >= ${constant(SAME_WORD_SIMILARITY)}))`;

/**
 * SQL for the words of an array with their positions and sounds. OFFSET 0 keeps the sounds from being computed again
 * for each pair; levenshtein refuses words of more than 255 letters.
 */
const soundedWords = (words: Sql): Sql =>
  sql`LATERAL (SELECT left(word, 99), at, array_remove(ARRAY[dmetaphone(word), dmetaphone_alt(word)], '')
    FROM unnest(${words}) WITH ORDINALITY AS w(word, at) OFFSET 0)`;

/** The clients similar to the name at `place`, and the numbers of similar `others`. */
type Similar = { place: number; clients: number[]; others: number[] };

/**
 * Returns, for each of many names, at most 5 similar clients the actor may see, by the rules of `similarClients`. Also
 * returns the similar `others` at its place. For speed, a client is compared only if all words sound alike. A space, an
 * extra word, or an initial may differ. A wrong letter that changes the sound is missed.
 */
export function similarTo(
  query: Query,
  actor: SessionUser,
  given: readonly PhoneticName[],
  others: readonly { place: number; number: number; name: string }[],
): Promise<Similar[]> {
  const queryNames = given.map(({ folded, words }, place) => ({
    place,
    folded,
    words,
    shorter: shorterThan(words),
  }));
  const ways = given.flatMap(({ words, ways }, place) => {
    const initials = words.filter(({ length }) => length === 1).map((letter) => `% ${letter}%`);
    return ways.map((way) => ({ place, way, initials }));
  });
  const visibleClients = (condition: Sql) =>
    sql`LATERAL (${selectClients(sql`c.id`, visibleClientsWhere(actor), condition)} LIMIT ${constant(COMPARED_MAX)}) AS c`;
  return query<Similar>(
    // biome-ignore lint/plugin: some() finds visible clients
    sql`WITH given AS MATERIALIZED (
       SELECT * FROM jsonb_to_recordset(${JSON.stringify(queryNames)})
         AS g(place int, folded text, words text[], shorter text[]) WHERE folded <> ''),
     ranked AS MATERIALIZED (
       SELECT w.place, c.id FROM jsonb_to_recordset(${JSON.stringify(ways)}) AS w(place int, way text[], initials text[]),
         ${visibleClients(sql`c.name_sounds @> w.way AND ' ' || c.name_folded LIKE ALL (w.initials)`)}
       UNION SELECT g.place, c.id FROM given g, ${visibleClients(sql`replace(c.name_folded, ' ', '') = replace(g.folded, ' ', '')`)}
       UNION SELECT g.place, c.id FROM given g, ${visibleClients(sql`c.name_folded = ANY(g.shorter)`)}
     ),
     nearest AS (
       SELECT place, c.id, c.name, row_number() OVER (
         PARTITION BY place ORDER BY similarity(c.name_folded, g.folded) DESC, c.id) AS nth
       FROM ranked JOIN given g USING (place) JOIN clients c USING (id)
     ),
     compared AS (
       SELECT place, id, number, fold_name(name) AS name_folded, name_words(name) AS words FROM (
         SELECT place, id, NULL::int AS number, name FROM nearest WHERE nth <= ${constant(NEAREST_MAX)}
         UNION ALL SELECT place, NULL, number, name
           FROM jsonb_to_recordset(${JSON.stringify(others)}) AS o(place int, number int, name text)) AS all_of_them
     ),
     alike AS (
       SELECT place, id, number, avg(best) AS likeness
       FROM compared c JOIN given g USING (place), ${partnersOf(sql`g.words`, sql`c.words`)}
       GROUP BY place, id, number, g.folded, c.name_folded, given, found
       HAVING ${isAlike(sql`g.folded`, sql`c.name_folded`)}
     )
     SELECT place, coalesce((array_agg(id ORDER BY likeness DESC, id) FILTER (WHERE id IS NOT NULL))[:${constant(SIMILAR_MAX)}], '{}') AS clients,
       coalesce(array_agg(DISTINCT number) FILTER (WHERE number IS NOT NULL), '{}') AS others
     FROM alike GROUP BY place`,
  );
}
