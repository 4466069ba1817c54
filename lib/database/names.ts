import "server-only";
import type { Bind, Match } from "@/lib/database/list";
import { listRows } from "@/lib/database/statements";

// How names are found: by what the migrations' functions make of them, whoever looks (contract §1, "search").

/** A name as it is compared: without case, accents and marks, its words, and each word's sounds. */
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

/** From this length on a trigram index finds a text anywhere in a name; shorter ones are in an index of pairs. */
export const TRIGRAM = 3;

/**
 * A condition on clients (alias `client`) that an index answers: the name holds `folded`, which is not empty. The
 * planner would read all of the trigram index for a LIKE without trigrams.
 */
export function holds(client: string, folded: string, bind: Bind): string {
  if (folded.split(" ").some((word) => word.length >= TRIGRAM))
    return `${client}.name_folded LIKE ${bind(`%${folded}%`)}`;
  const pairs = `name_pairs(${client}.name_folded) @> name_pairs(${bind(folded)})`;
  return folded.length < TRIGRAM ? pairs : `${pairs} AND strpos(${client}.name_folded, ${bind(folded)}) > 0`;
}

/** What folding leaves out without changing what is looked for. */
const PLAIN = /^[\p{L}\p{M}\p{N}\s.,'’ʼ`-]*$/u;

/** Rows of a list that have a client's name. */
type Named = {
  table: string;
  alias: string;
  /** Their column of the folded name, and of the client's id. */
  name: string;
  clientId: string;
  /** The rows with their clients, and those clients' alias. */
  joined: { from: string; client: string };
  /** Whether the list's conditions leave so few rows that an index of these and the name serves better. */
  narrow: boolean;
};

/**
 * The search of a list for clients' names: those that hold the folded text. Where it has characters that folding
 * leaves out, such as `%`, the name must hold the text as it was typed, too.
 */
export async function nameSearch(search: string, rows: Named): Promise<Match> {
  const { table, alias, name, clientId, joined, narrow } = rows;
  const { folded } = await fold(search);
  const typed = folded === "" || !PLAIN.test(search) ? search.trim().toLowerCase() : null;
  const asTyped = (client: string, bind: Bind) =>
    typed === null ? "true" : `strpos(lower(${client}.name), ${bind(typed)}) > 0`;
  const inName = (bind: Bind) => (folded === "" ? "true" : `strpos(${name}, ${bind(folded)}) > 0`);
  return {
    where: (bind) =>
      typed === null
        ? inName(bind)
        : `${inName(bind)} AND EXISTS (SELECT FROM clients n WHERE n.id = ${clientId} AND ${asTyped("n", bind)})`,
    hits: (bind, where) =>
      narrow && typed === null
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
