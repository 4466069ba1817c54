import { get, set } from "react-hook-form";
import { type Choices, textOf } from "@/components/record/choices";
import { join } from "@/components/record/section";
import type { FieldFacts } from "@/lib/fields/facts";
import { isRecord } from "@/lib/fields/wire";

/** A record as this screen loaded it, as it is stored now, and as it is typed here. */
export type Versions<Values = object> = { base: Values; theirs: Values; mine: Values };

/** A field that somebody else has changed meanwhile and that is not the same here. */
export type Difference = {
  /** Its place in the screen's form. */
  name: string;
  label: string;
  theirs: { value: unknown; text: string };
  mine: { value: unknown; text: string };
  /** Whether it was changed here too. */
  bothChanged: boolean;
};

/** How a field of the record is named, and what is known of it; `versions` tell what a row of a list is about. */
export type Describe = (name: string, versions: Versions) => { label: string; facts: FieldFacts | undefined };

/** What a value says: blank is blank, however it is written; the order of a choice of several says nothing. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.toSorted();
  if (typeof value === "string") return value.trim() || null;
  return value || null;
}
const same = (a: unknown, b: unknown) => JSON.stringify(comparable(a)) === JSON.stringify(comparable(b));

/** Every leaf by its path; a list of ids is one leaf. */
function* leaves(value: unknown, path: string): Generator<[string, unknown]> {
  if (!isRecord(value)) yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* leaves(inner, join(path, key));
}

/** What belongs to the record and not to whoever fills it in: always as it is stored. */
const isBookkeeping = (path: string) =>
  /(^|\.)(id|lockVersion|serviceEntryId|serviceCodeId|serviceCode|magisterial)(\.|$)/.test(path);

/** A value as text, with both answers of a checkbox: here No is something to choose. */
function sideText(facts: FieldFacts | undefined, value: unknown, choices: Choices): string {
  if (facts?.kind === "flag" || typeof value === "boolean") return value ? "Yes" : "No";
  return facts ? textOf(facts, value, choices) : String(value ?? "");
}

/** The fields of a record (`prefix` in the screen's form) that a save would overwrite somebody's change of. */
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

/** What is typed here with the chosen fields as they are stored, ready to be saved over the stored version. */
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
    // An entry that they have removed is a new one if it is kept here.
    if (path.endsWith(".id") && !there.has(path)) set(values, place(path), undefined);
  }
  for (const { name, theirs: theirSide, mine: mySide } of found) {
    set(values, place(name), (takesTheirs(name) ? theirSide : mySide).value ?? null);
  }
  return values;
}

/** The value at a place in the screen's form, where the record stands under `prefix`. */
export const valueIn = (record: object, prefix: string, name: string): unknown =>
  get({ [prefix]: record }, name);
