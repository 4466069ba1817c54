import type * as z from "zod/mini";
import { clientSchema } from "@/lib/clients/schema";
import type { FieldSetting } from "@/lib/core/fields/definitions";
import { declaredFacts, declaredShape, type FieldFacts, factsWith, isNested } from "@/lib/core/fields/facts";
import { namesAbove } from "@/lib/core/fields/in-order";
import { canBeMissing } from "@/lib/core/fields/required";
import type { FieldSettingItem } from "@/lib/forms/fields/settings-schema";
import { formSchema } from "@/lib/forms/schema";
import { serviceStatus } from "@/lib/forms/sections/service-status";

// The built-in fields that the organization can change, and the rules for its settings. The rules follow from the facts of
// the fields.

export type Place = {
  path: string;
  name: string;
  facts: FieldFacts;
  schema: z.core.$ZodType;
  /** The record or entry that contains it. */
  parent: z.core.$ZodType;
  /** True if it is a column of a list of rows. */
  isColumn: boolean;
};

/** Entries whose parts the screen shows as separate sections. */
const NO_SECTION = new Set([
  "form.intakeForm",
  "form.serviceEntry",
  "form.serviceEntry.serviceProvidedEntries",
]);

function placesIn(parent: z.core.$ZodType, path: string, isColumn = false): Place[] {
  const shape = declaredShape(parent);
  return Object.entries(shape).flatMap(([name, schema]): Place[] => {
    const facts = declaredFacts(schema);
    if (!facts?.entered || facts.kind === "custom") return [];
    const place = { path: `${path}.${name}`, name, facts, schema, parent, isColumn };
    if (!isNested(facts)) return [place];
    const inside = placesIn(schema, place.path, facts.kind === "entries");
    return NO_SECTION.has(place.path) ? inside : [place, ...inside];
  });
}

/** All fields that a user enters, and the entries that are sections of a screen, in the order of the schemas. */
const PLACES: readonly Place[] = [
  ...placesIn(clientSchema, "client"),
  ...placesIn(formSchema, "form"),
].filter(({ path }) => path !== "client.verbalConfirmation");

/** Returns the place of a field or section, or undefined if the organization cannot change it. */
export const placeAt = (path: string): Place | undefined => PLACES.find((place) => place.path === path);

/** The settings that keep every default of a field. */
export const NO_SETTING = { hidden: false, label: null, hint: null, requiredFrom: null };

/** Returns the settings of a field; the defaults if it has none. */
export const settingAt = (settings: readonly FieldSetting[], path: string): FieldSetting =>
  settings.find((setting) => setting.path === path) ?? { path, ...NO_SETTING };

/** Returns the settings with one replaced. A field with default settings has none. */
export function withSetting(settings: readonly FieldSetting[], setting: FieldSetting): FieldSetting[] {
  const { path: _, ...parts } = setting;
  const others = settings.filter(({ path }) => path !== setting.path);
  const isDefault =
    JSON.stringify(Object.entries(parts).sort()) === JSON.stringify(Object.entries(NO_SETTING).sort());
  return isDefault ? others : [...others, setting];
}

const isUnder = ({ path }: Place, section: string) => path.startsWith(`${section}.`);
const isAlwaysShown = ({ facts }: Place) => facts.alwaysShown === true || facts.kind === "minutes";
/** True for a field of the record itself that every form has, such as the client. */
const isFixed = ({ parent, facts }: Place) =>
  (parent === clientSchema || parent === formSchema) && (facts.required || facts.alwaysShown === true);

/** The entries and records whose fields Form Details shows together. */
const IN_DETAILS = new Set(["client", "form", "form.intakeForm"]);

/** Returns the path of the section that the field can move within; "" if it cannot move. */
function sectionOf(place: Place): string {
  const section = place.path.slice(0, place.path.lastIndexOf("."));
  const isInDetails = IN_DETAILS.has(section);
  if (place.isColumn || isFixed(place) || (isInDetails && isNested(place.facts))) return "";
  return isInDetails ? "form" : section;
}

/**
 * True if the field has others to trade places with: in its section, or among the fields that stay under the same
 * checkbox.
 */
const canMove = (place: Place): boolean => {
  const section = sectionOf(place);
  const above = String(namesAbove(place.facts));
  return (
    section !== "" &&
    PLACES.some(
      (other) => other !== place && sectionOf(other) === section && String(namesAbove(other.facts)) === above,
    )
  );
};

/** Returns the reason why a field can never be hidden; "" if it can. */
function reasonToShow(place: Place): string {
  const { path, facts } = place;
  if (isNested(facts)) {
    const fixed = PLACES.find((inner) => isUnder(inner, path) && isAlwaysShown(inner));
    return fixed ? `cannot be hidden, because ${fixed.facts.label} is always shown` : "";
  }
  if (isAlwaysShown(place) || isFixed(place)) return "is always shown";
  return facts.required ? "is required, so it can be hidden only with its section" : "";
}

/** Returns the reason why the settings are not possible as a whole, for the field whose setting has changed; "" if they are. */
function reasonAgainst(place: Place, settings: readonly FieldSetting[]): string {
  const facts = factsWith(settings);
  const now = ({ schema, facts: declared }: Place) => facts.get(schema) ?? declared;
  const isShown = (one: Place): boolean =>
    now(one).hidden !== true &&
    (!isNested(one.facts) || PLACES.some((inner) => isUnder(inner, one.path) && isShown(inner)));
  for (const one of PLACES) {
    const { boxes = [] } = one.facts.dependsOn ?? {};
    for (const box of boxes.length > 0 ? PLACES : []) {
      if (box.parent !== one.parent || !boxes.includes(box.name) || isShown(box) || !isShown(one)) continue;
      if (box === place) return `cannot be hidden while ${now(one).label} is shown`;
      if (one === place || isUnder(one, place.path))
        return `cannot be shown while ${now(box).label} is hidden`;
    }
  }
  const reasons = PLACES.filter(({ parent }) => parent === serviceStatus.schema);
  if (reasons.includes(place) && !reasons.some(isShown))
    return "is the last reason that is shown, and a form needs one. Hide the section instead";
  return "";
}

/** Returns the reason why the field cannot be hidden; "" if it can. */
const cannotHide = (place: Place, settings: readonly FieldSetting[]): string =>
  reasonToShow(place) ||
  reasonAgainst(place, withSetting(settings, { ...settingAt(settings, place.path), hidden: true }));

/** Returns the reason why a hidden field cannot be shown; "" if it can. */
const cannotShow = (place: Place, settings: readonly FieldSetting[]): string =>
  reasonAgainst(place, withSetting(settings, { ...settingAt(settings, place.path), hidden: false }));

/** Returns the problems of a new setting by the name of its part. `settings` are all current ones. */
export function settingProblems(
  place: Place,
  settings: readonly FieldSetting[],
  next: FieldSetting,
): Record<string, string> {
  const before = settingAt(settings, place.path);
  const problems: Record<string, string> = {};
  if (next.hidden !== before.hidden) {
    const problem = next.hidden ? cannotHide(place, settings) : cannotShow(place, settings);
    if (problem) problems.hidden = problem;
  }
  if (isNested(place.facts)) {
    for (const part of ["label", "hint", "requiredFrom"] as const)
      if (next[part] !== null) problems[part] = "cannot be set for a section";
    return problems;
  }
  if (next.requiredFrom !== null && (place.facts.required || !canBeMissing(place.facts)))
    problems.requiredFrom = place.facts.required
      ? "is not needed: the field is always required"
      : "cannot be set: the field always has a value";
  return problems;
}

/** Returns one built-in field with its settings. */
export const settingItem = (place: Place, settings: readonly FieldSetting[]): FieldSettingItem => {
  const { path, facts } = place;
  const setting = settingAt(settings, path);
  return {
    ...setting,
    kind: facts.kind,
    declaredLabel: facts.label,
    declaredHint: facts.hint ?? "",
    required: facts.required,
    cannotHide: setting.hidden ? "" : cannotHide(place, settings),
    cannotShow: setting.hidden ? cannotShow(place, settings) : "",
    canBeRequired: !isNested(facts) && !facts.required && canBeMissing(facts),
    canMove: canMove(place),
  };
};

/** Returns the problems with an order by the index of the path. `custom` has the paths of the custom fields. */
export function orderProblems(paths: readonly string[], custom: ReadonlySet<string>): Record<number, string> {
  const problems = paths.map((path, at) => {
    const place = placeAt(path);
    if (paths.indexOf(path) < at) return `${path} is listed twice`;
    if (custom.has(path)) return "";
    if (!place) return `${path} is not a field`;
    return canMove(place) ? "" : `${place.facts.label} cannot be moved`;
  });
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem));
}

/** Returns every built-in field with its settings. */
export const settingItems = (settings: readonly FieldSetting[]): FieldSettingItem[] =>
  PLACES.map((place) => settingItem(place, settings));
