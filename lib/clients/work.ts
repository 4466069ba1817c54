import type * as z from "zod/mini";
import type { work } from "@/lib/clients/api-schema";
import { counted } from "@/lib/core/text/format";

export type Work = z.output<typeof work>;

/** Joins words as a sentence does: `a and b`, or `a, b, and c`. */
export const joinWords = (words: readonly string[]): string =>
  words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")}${words.length > 2 ? "," : ""} and ${words.at(-1)}`;

/** Returns `2 clients and 1 draft`; "" if all numbers are 0. */
export const workWords = ({ clients, drafts, returned }: Work): string =>
  joinWords(
    [
      { count: clients, noun: "client" },
      { count: drafts, noun: "draft" },
      { count: returned, noun: "returned form" },
    ]
      .filter(({ count }) => count > 0)
      .map(({ count, noun }) => counted(count, noun)),
  );
