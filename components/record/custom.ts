import { get } from "react-hook-form";
import type * as z from "zod/mini";
import { type CustomValue, type CustomValues, hasCustomValue } from "@/lib/core/fields/custom";
import type { CustomRecord } from "@/lib/core/fields/definitions";
import { type Field, type FieldFacts, fieldsOf } from "@/lib/core/fields/facts";
import { inOrder } from "@/lib/core/fields/in-order";
import { isRetired } from "@/lib/core/fields/required";
import { blanksOf } from "@/lib/core/fields/shapes";

// The organization's custom fields on screens, in print, and in reading views.

type Own = NonNullable<FieldFacts["custom"]>;
/** A custom field by its path in the values of a screen, such as `form.custom.housingNeed`. */
export type CustomPlace = { name: `${CustomRecord}.custom.${string}`; facts: FieldFacts & { custom: Own } };

/** The places of a record's custom fields, by these fields: `fieldsOf` returns others when a definition changes. */
const knownPlaces = new WeakMap<readonly Field[], readonly CustomPlace[]>();

/** Returns all custom fields of the record, retired ones included. */
export function customPlaces(
  record: CustomRecord,
  schema: { shape: { custom: z.core.$ZodType } },
): readonly CustomPlace[] {
  const fields = fieldsOf(schema.shape.custom);
  const places =
    knownPlaces.get(fields) ??
    fields.flatMap(({ name, facts }): CustomPlace[] =>
      facts.custom ? [{ name: `${record}.custom.${name}`, facts: { ...facts, custom: facts.custom } }] : [],
    );
  knownPlaces.set(fields, places);
  return places;
}

/** True if the section is built in: its title differs from its path. */
const isBuiltIn = ({ section, title }: Own): boolean => section === "" || title !== section;

/** Returns custom fields in the organization's order. */
export const placesInOrder = (places: readonly CustomPlace[]): CustomPlace[] =>
  inOrder(places.map((place) => ({ path: place.name, place }))).map(({ place }) => place);

/** Returns the titles of the custom sections, with their fields in order. */
export function customSections(places: readonly CustomPlace[]): { title: string; places: CustomPlace[] }[] {
  const others = places.filter(({ facts: { custom } }) => !isBuiltIn(custom));
  const titles = [...new Set(others.map(({ facts: { custom } }) => custom.section))];
  return titles.map((title) => ({
    title,
    places: placesInOrder(others.filter(({ facts: { custom } }) => custom.section === title)),
  }));
}

/** True if the field is asked today. */
const isInUse = ({ facts }: CustomPlace): boolean => !isRetired(facts.custom);

/** A custom field with its value. */
export type EnteredCustom = { path: string; facts: CustomPlace["facts"]; value: unknown };

/** Returns the custom fields to show in a reading: those with a value, and those that `asks` includes. */
export const enteredCustom = (
  places: readonly CustomPlace[],
  values: object,
  asks: (place: CustomPlace) => boolean = isInUse,
): EnteredCustom[] =>
  places.flatMap((place) => {
    const value: unknown = get(values, place.name);
    return hasCustomValue(value) || asks(place) ? [{ path: place.name, facts: place.facts, value }] : [];
  });

/**
 * Returns the values of the record's current custom fields: those of `custom`, else blank ones. Values of a removed field and
 * removed choices are left out: no control shows them, and they would make every save fail.
 */
export function currentValues(
  schema: z.ZodMiniObject<{ custom: z.core.$ZodType<CustomValues | undefined> }>,
  custom: CustomValues = {},
): CustomValues {
  const blank = blanksOf(schema).custom ?? {};
  return Object.fromEntries(
    fieldsOf(schema.shape.custom).map(({ name, facts }) => [
      name,
      withoutRemoved(facts, custom[name]) ?? blank[name] ?? null,
    ]),
  );
}

/** Returns the value without choices that the field does not have. */
function withoutRemoved(facts: FieldFacts, value: CustomValue | undefined): CustomValue | undefined {
  if (facts.kind !== "choice" && facts.kind !== "choices") return value;
  const isChoice = (id: unknown) => facts.choices.some((choice) => choice.value === id);
  if (Array.isArray(value)) return value.filter(isChoice);
  return isChoice(value) ? value : undefined;
}
