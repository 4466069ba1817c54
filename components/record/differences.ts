import { get, set } from "react-hook-form";
import { type Choices, screenText } from "@/components/record/choices";
import { join } from "@/components/record/section";
import type { FieldFacts } from "@/lib/fields/facts";
import { isRecord } from "@/lib/fields/plain";

/** A record as loaded by this screen, as stored now, and as typed here. */
export type Versions<Values = object> = { base: Values; theirs: Values; mine: Values };

/** A field that somebody else has changed and whose value here is different. */
export type Difference = {
  /** Its path in the screen's form. */
  name: string;
  label: string;
  theirs: { value: unknown; text: string };
  mine: { value: unknown; text: string };
  /** Whether it was also changed here. */
  bothChanged: boolean;
};

/** The label and facts of a field. `versions` identify the row if the field is part of a list. */
export type Describe = (name: string, versions: Versions) => { label: string; facts: FieldFacts | undefined };

/** A record of a screen: its path in the screen's form, and what its fields are. */
export type Compared = { prefix: string; describe: Describe; choices: Choices };

/**
 * A value in a form for comparison: all kinds of blank are equal, and the order of multiple choices does not matter.
 */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.toSorted();
  if (typeof value === "string") return value.trim() || null;
  return value || null;
}
const same = (a: unknown, b: unknown) => JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));

/** Every leaf with its path; a list of ids is one leaf. */
export function* leaves(value: unknown, path: string): Generator<[string, unknown]> {
  if (!isRecord(value)) yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* leaves(inner, join(path, key));
}

/** A value as text. A checkbox has two answers here, because No can be chosen too. */
function sideText(facts: FieldFacts, value: unknown, choices: Choices): string {
  if (facts.kind === "flag") return value ? "Yes" : "No";
  return screenText(facts, value, choices);
}

/** The fields in which a save would overwrite somebody else's change. */
export function differences(
  versions: Versions,
  { prefix, describe: fieldOf, choices }: Compared,
): Difference[] {
  const [before, now, here] = [versions.base, versions.theirs, versions.mine].map(
    (version) => new Map(leaves(version, prefix)),
  );
  return [...new Set([...(now?.keys() ?? []), ...(before?.keys() ?? [])])].flatMap((name) => {
    const [was, value, typed] = [before?.get(name), now?.get(name), here?.get(name)];
    if (same(value, was) || same(value, typed)) return [];
    const { label, facts } = fieldOf(name, versions);
    if (!facts?.entered) return [];
    return [
      {
        name,
        label,
        theirs: { value, text: sideText(facts, value, choices) },
        mine: { value: typed, text: sideText(facts, typed, choices) },
        bothChanged: !same(typed, was),
      },
    ];
  });
}

/**
 * The typed values with the chosen fields taken from the stored record, ready to be saved over the stored version. What
 * no user enters always comes from the stored record: ids, versions, and what an answer holds beside the fields.
 */
export function merged<Values extends object>(
  versions: Versions<Values>,
  { prefix, describe: fieldOf }: Compared,
  found: readonly Difference[],
  takesTheirs: (name: string) => boolean,
): Values {
  const { theirs, mine } = versions;
  const values = structuredClone(mine);
  const place = (name: string) => name.slice(prefix.length + 1);
  const here = new Map(leaves(mine, prefix));
  const there = new Map(leaves(theirs, prefix));
  for (const [path, value] of there) {
    if (!fieldOf(path, versions).facts?.entered || !here.has(path)) set(values, place(path), value);
  }
  for (const path of here.keys()) {
    // If they removed an entry and it is kept here, it becomes a new one.
    if (path.endsWith(".id") && !there.has(path)) set(values, place(path), undefined);
  }
  for (const { name, theirs: theirSide, mine: mySide } of found) {
    set(values, place(name), (takesTheirs(name) ? theirSide : mySide).value ?? null);
  }
  return values;
}

/** The value at a path of the screen's form, for a record that is stored there under `prefix`. */
export const valueIn = (record: object, prefix: string, name: string): unknown =>
  get({ [prefix]: record }, name);
