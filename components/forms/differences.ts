import { get, set } from "react-hook-form";
import { type FieldSpec, fieldText, join } from "@/components/forms/fields";
import { SECTIONS } from "@/components/forms/sections";
import { DETAILS } from "@/components/forms/sections/details";
import type { Rules } from "@/components/forms/values";
import { isRecord } from "@/lib/fields/wire";
import type { FormLists } from "@/lib/lookups/schema";

/** A record as this screen loaded it, as it is stored now, and as it is typed here. */
export type Versions<Record = object> = { base: Record; theirs: Record; mine: Record };

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

type Words = { label: string; text: (value: unknown) => string };

/** What a value says: blank is blank, however it is written; the order of a choice of several says nothing. */
function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.toSorted();
  if (typeof value === "string") return value.trim() || null;
  return value || null;
}
const same = (a: unknown, b: unknown) => JSON.stringify(said(a)) === JSON.stringify(said(b));

/** Every leaf by its path; a list of ids is one leaf. */
function* leaves(value: unknown, path: string): Generator<[string, unknown]> {
  if (!isRecord(value)) yield [path, value];
  else for (const [key, inner] of Object.entries(value)) yield* leaves(inner, join(path, key));
}

/** What belongs to the record and not to whoever fills it in: always as it is stored. */
const isBookkeeping = (path: string) =>
  /(^|\.)(id|lockVersion|serviceEntryId|serviceCodeId|serviceCode|magisterial)(\.|$)/.test(path);

/** The fields that have a label of their own, by their place in the form. */
const FIELDS: ReadonlyMap<string, { field: FieldSpec; title: string }> = new Map([
  ...Object.values(DETAILS).map((field) => [field.name, { field: field as FieldSpec, title: "" }] as const),
  ...SECTIONS.flatMap(({ title, spec, paths: [path = ""] }) =>
    (spec?.groups ?? []).flatMap((part) =>
      part.fields.map(
        (field) => [join(path, part.path, field.name), { field, title: part.legend ?? title }] as const,
      ),
    ),
  ),
]);

const yesNo = (value: unknown) => (value ? "Yes" : "No");

/** How a field is named and shown; service rows have no field of their own but a code. */
function wordsFor(path: string, lists: FormLists, code: string | undefined): Words {
  const known = FIELDS.get(path);
  if (known) {
    const { field, title } = known;
    return {
      label: [title, field.label].filter(Boolean).join(": "),
      text: (value) => (field.kind === "check" ? yesNo(value) : fieldText(field, value, lists)),
    };
  }
  const words = (path.split(".").at(-1) ?? "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return {
    label: ["Services", code, words].filter(Boolean).join(": "),
    text: (value) => (typeof value === "boolean" ? yesNo(value) : String(value ?? "")),
  };
}

/** The fields of a record (`prefix` in the screen's form) that a save would overwrite somebody's change of. */
export function differences(
  { base, theirs, mine }: Versions,
  prefix: "client" | "form",
  lists: FormLists,
  codes: Rules["codes"],
): Difference[] {
  const codeAt = (path: string) => {
    const [row] = /^form\.serviceEntry\.rows\.[^.]+/.exec(path) ?? [];
    // A row that they have removed is known here only.
    const at = (form: object) => (row ? get({ form }, `${row}.serviceCodeId`) : undefined);
    return codes.get((at(theirs) ?? at(base)) as number)?.code;
  };
  const before = new Map(leaves(base, prefix));
  const now = new Map(leaves(theirs, prefix));
  const here = new Map(leaves(mine, prefix));
  return [...new Set([...now.keys(), ...before.keys()])].flatMap((name) => {
    const [was, value, typed] = [before.get(name), now.get(name), here.get(name)];
    if (isBookkeeping(name) || same(value, was) || same(value, typed)) return [];
    const { label, text } = wordsFor(name, lists, codeAt(name));
    const [theirSide, mySide] = [value, typed].map((side) => ({ value: side, text: text(side) }));
    return theirSide && mySide
      ? [{ name, label, theirs: theirSide, mine: mySide, bothChanged: !same(typed, was) }]
      : [];
  });
}

/** What is typed here with the chosen fields as they are stored, ready to be saved over the stored version. */
export function merged<Record extends object>(
  { theirs, mine }: Versions<Record>,
  prefix: "client" | "form",
  found: readonly Difference[],
  takesTheirs: (name: string) => boolean,
): Record {
  const result = { [prefix]: structuredClone(mine) };
  const here = new Map(leaves(mine, prefix));
  const there = new Map(leaves(theirs, prefix));
  for (const [path, value] of there) {
    if (isBookkeeping(path) || !here.has(path)) set(result, path, value);
  }
  for (const path of here.keys()) {
    // An entry that they have removed is a new one if it is kept here.
    if (path.endsWith(".id") && !there.has(path)) set(result, path, undefined);
  }
  for (const { name, theirs: theirSide, mine: mySide } of found) {
    set(result, name, (takesTheirs(name) ? theirSide : mySide).value ?? null);
  }
  return result[prefix] as Record;
}
