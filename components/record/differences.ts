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
function* leaves(value: unknown, path: string): Generator<[string, unknown]> {
  if (!isRecord(value)) yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* leaves(inner, join(path, key));
}

/** Values that no user enters; they always come from the stored record. */
const isBookkeeping = (path: string) =>
  /(^|\.)(id|lockVersion|serviceEntryId|serviceCodeId|serviceCode|magisterial)(\.|$)/.test(path);

/** A value as text. A checkbox has two answers here, because No can be chosen too. */
function sideText(facts: FieldFacts | undefined, value: unknown, choices: Choices): string {
  if (facts?.kind === "flag" || typeof value === "boolean") return value ? "Yes" : "No";
  return facts ? screenText(facts, value, choices) : String(value ?? "");
}

/** The fields (below `prefix` in the screen's form) in which a save would overwrite somebody else's change. */
export function differences(
  versions: Versions,
  prefix: string,
  nameOf: Describe,
  choices: Choices,
): Difference[] {
  const [before, now, here] = [versions.base, versions.theirs, versions.mine].map(
    (version) => new Map(leaves(version, prefix)),
  );
  return [...new Set([...(now?.keys() ?? []), ...(before?.keys() ?? [])])].flatMap((name) => {
    const [was, value, typed] = [before?.get(name), now?.get(name), here?.get(name)];
    if (isBookkeeping(name) || same(value, was) || same(value, typed)) return [];
    const { label, facts } = nameOf(name, versions);
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

/** The typed values with the chosen fields taken from the stored record, ready to be saved over the stored version. */
export function merged<Values extends object>(
  { theirs, mine }: Versions<Values>,
  prefix: string,
  found: readonly Difference[],
  takesTheirs: (name: string) => boolean,
): Values {
  const values = structuredClone(mine);
  const place = (name: string) => name.slice(prefix.length + 1);
  const here = new Map(leaves(mine, prefix));
  const there = new Map(leaves(theirs, prefix));
  for (const [path, value] of there) {
    if (isBookkeeping(path) || !here.has(path)) set(values, place(path), value);
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
