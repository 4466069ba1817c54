import "server-only";
import type { SessionUser } from "@/lib/auth/permissions";
import { visibleClientsWhere } from "@/lib/auth/scope";
import type { ClientHit } from "@/lib/clients/schema";
import { rows } from "@/lib/database/client";

/** A name as the migration's functions see it: folded, its words, and each word's sounds. */
type Folded = { folded: string; words: string[]; sounds: string[][] };

async function fold(name: string): Promise<Folded> {
  const [folded] = await rows<Folded>(
    `SELECT fold_name($1) AS folded, name_words($1) AS words,
       COALESCE((SELECT json_agg(name_sounds(word)) FROM unnest(name_words($1)) AS word), '[]') AS sounds`,
    [name],
  );
  return folded ?? { folded: "", words: [], sounds: [] };
}

const HIT = "c.id, c.name, u.first_name || ' ' || u.last_name AS advocate";

/** From this length on a trigram index finds a text anywhere in a word; shorter ones are looked for at its start. */
const TRIGRAM = 3;

/**
 * At most 20 clients whose name holds every word of `search`, in any order, case, accents and apostrophes aside.
 * Names that begin with it come first, then those with words that begin so, then the rest. Without a search, the
 * newest clients.
 */
export async function searchClients(actor: SessionUser, search: string): Promise<ClientHit[]> {
  if (search.trim() === "") {
    return rows(
      `SELECT ${HIT} FROM clients c JOIN users u ON u.id = c.user_id
       WHERE ${visibleClientsWhere(actor)} ORDER BY c.created_on DESC, c.id DESC LIMIT 20`,
    );
  }
  const { folded, words } = await fold(search);
  if (words.length === 0) return [];
  const values: string[] = [folded];
  const bind = (value: string) => `$${values.push(value)}`;
  // A folded text has no character that LIKE treats as special.
  const starts = words.map(
    (word) => `(c.name_folded LIKE ${bind(`${word}%`)} OR c.name_folded LIKE ${bind(`% ${word}%`)})`,
  );
  const holds = words.map((word, index) =>
    word.length < TRIGRAM ? starts[index] : `c.name_folded LIKE ${bind(`%${word}%`)}`,
  );
  return rows<ClientHit>(
    `SELECT ${HIT} FROM clients c JOIN users u ON u.id = c.user_id WHERE ${[visibleClientsWhere(actor), ...holds].join(" AND ")}
     ORDER BY starts_with(c.name_folded, $1) DESC, (${starts.join(" AND ")}) DESC, c.name_folded, c.id LIMIT 20`,
    values,
  );
}

/** How many of the clients that share a sound or a spelling are compared word by word. */
const COMPARED = 60;
/** The least likeness that counts as the same word. */
const SAME_WORD = 0.775;

/**
 * The words of an array with their places and sounds. OFFSET 0 keeps the sounds from being made anew for each pair;
 * levenshtein refuses words of more than 255 letters.
 */
const soundedWords = (words: string) =>
  `LATERAL (SELECT left(word, 99), at, name_sounds(word) FROM unnest(${words}) WITH ORDINALITY AS w(word, at) OFFSET 0)`;

/**
 * At most 5 clients who may be the person called `name`, the likeliest first: each word of the shorter name has
 * its like in the longer one, in any order. Words are alike that are spelled nearly the same, that sound the same
 * and are spelled not too differently, or of which one begins the other (an initial, a short form).
 */
export async function similarClients(actor: SessionUser, name: string): Promise<ClientHit[]> {
  const { folded, words, sounds } = await fold(name);
  if (words.length === 0) return [];
  const values: unknown[] = [folded, words, sounds.flat()];
  const shared = sounds.map((each) => `(c.name_sounds && $${values.push(each)}::text[])::int`).join(" + ");
  return rows<ClientHit>(
    `WITH compared AS (
       SELECT c.id, c.name, c.user_id, c.name_folded, name_words(c.name) AS words FROM clients c
       WHERE (c.name_sounds && $3::text[] OR c.name_folded % $1) AND ${visibleClientsWhere(actor)}
       ORDER BY ${shared} DESC, similarity(c.name_folded, $1) DESC, c.id LIMIT ${COMPARED}
     )
     SELECT ${HIT} FROM compared c JOIN users u ON u.id = c.user_id,
       cardinality($2::text[]) AS given, cardinality(c.words) AS found,
       LATERAL (
         -- The best partner of each given word (found_at is null) and of each found word (given_at is null).
         SELECT given_at, found_at, max(likeness) AS best
         FROM ${soundedWords("$2::text[]")} AS a(given_word, given_at, given_sounds),
           ${soundedWords("c.words")} AS b(found_word, found_at, found_sounds),
           LATERAL (SELECT 1 - levenshtein(given_word, found_word)::float / greatest(length(given_word), length(found_word)) AS spelled) AS s,
           LATERAL (SELECT greatest(
             CASE WHEN spelled = 1 THEN 1 ELSE 0.9 * spelled END,
             CASE WHEN starts_with(given_word, found_word) OR starts_with(found_word, given_word) THEN 0.8 END,
             CASE WHEN given_sounds && found_sounds THEN 0.5 + 0.5 * spelled END
           ) AS likeness) AS l
         GROUP BY GROUPING SETS ((given_at), (found_at))
       ) AS partners
     GROUP BY c.id, c.name, c.name_folded, u.id, given, found
     HAVING replace(c.name_folded, ' ', '') = replace($1, ' ', '')
       OR (given > found OR min(best) FILTER (WHERE found_at IS NULL) >= ${SAME_WORD})
         AND (found > given OR min(best) FILTER (WHERE given_at IS NULL) >= ${SAME_WORD})
     ORDER BY avg(best) DESC, c.name_folded, c.id LIMIT 5`,
    values,
  );
}
