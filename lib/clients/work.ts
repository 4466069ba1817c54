import { z } from "zod";
import { counted } from "@/lib/core/fields/format";

/** The numbers of records that a user has, or that were handed over. `drafts` are unfinished forms. */
export const work = z.object({ clients: z.int(), drafts: z.int(), returned: z.int() });
export type Work = z.output<typeof work>;

/** Joins words as a sentence does: `a, b and c`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** `2 clients and 1 unfinished form`; "" if there is nothing. */
export const workWords = ({ clients, drafts, returned }: Work): string =>
  listed(
    [
      { count: clients, noun: "client" },
      { count: drafts, noun: "unfinished form" },
      { count: returned, noun: "returned form" },
    ]
      .filter(({ count }) => count > 0)
      .map(({ count, noun }) => counted(count, noun)),
  );
