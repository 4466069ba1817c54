import type * as z from "zod/mini";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { capitalize } from "@/lib/core/text/format";

// Names for the parts of a field's path: its label, and the titles of the sections that contain it.

/** A part of a path; an index has the schema of its list. */
export type Segment = { name: string; schema: z.core.$ZodType | undefined; facts: FieldFacts | undefined };

/** True if a segment of a path is the number of a row. */
export const isIndex = (name: string) => /^\d+$/.test(name);

/** `mergedWith` → `Merged with` */
export const nameWords = (name: string) =>
  capitalize(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

export const labelOf = ({ name, facts }: Pick<Segment, "name" | "facts">): string =>
  facts?.label ?? nameWords(name);

/**
 * Returns titles of sections, each once. The intake form has none, because the screen shows its parts as the form's
 * own.
 */
export function titlesOf(segments: readonly Segment[]): string[] {
  const titles = segments.flatMap(({ name, facts }) =>
    isIndex(name) || facts?.kind === "custom" || (facts && "table" in facts && facts.table === "intake_forms")
      ? []
      : [labelOf({ name, facts })],
  );
  return titles.filter((title, at) => title !== titles[at - 1]);
}

/** Returns the titles of a path's sections as one: `Survivor › Brain Injury`; "" if there are none. */
export const sectionOf = (segments: readonly Segment[]): string => titlesOf(segments).join(" › ");

/** Returns the titles of the sections around the last segment, as one. A custom field knows its section. */
export const sectionAround = (segments: readonly Segment[]): string =>
  segments.at(-1)?.facts?.custom?.title ?? sectionOf(segments.slice(0, -1));
