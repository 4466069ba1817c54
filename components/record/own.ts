import { get } from "react-hook-form";
import type { z } from "zod/mini";
import type { Choices } from "@/components/record/choices";
import { type Reading, readFields } from "@/components/record/reading";
import type { OwnRecord } from "@/lib/core/fields/definitions";
import { type Field, type FieldFacts, fieldsOf } from "@/lib/core/fields/facts";
import { inOrder } from "@/lib/core/fields/in-order";
import { hasOwnValue, type OwnValue, type OwnValues } from "@/lib/core/fields/own";
import { isRetired } from "@/lib/core/fields/required";
import { blanksOf } from "@/lib/core/fields/shapes";

// The organization's custom fields on screens, in print, and in reading views.

type Own = NonNullable<FieldFacts["own"]>;
/** A custom field by its path in the values of a screen, such as `form.custom.housingNeed`. */
export type OwnPlace = { name: `${OwnRecord}.custom.${string}`; facts: FieldFacts & { own: Own } };

/** The places of a record's custom fields, by these fields: `fieldsOf` returns others when a definition changes. */
const knownPlaces = new WeakMap<readonly Field[], readonly OwnPlace[]>();

/** Returns all custom fields of the record, retired ones included. */
export function ownPlaces(
  record: OwnRecord,
  schema: { shape: { custom: z.core.$ZodType } },
): readonly OwnPlace[] {
  const fields = fieldsOf(schema.shape.custom);
  const places =
    knownPlaces.get(fields) ??
    fields.flatMap(({ name, facts }): OwnPlace[] =>
      facts.own ? [{ name: `${record}.custom.${name}`, facts: { ...facts, own: facts.own } }] : [],
    );
  knownPlaces.set(fields, places);
  return places;
}

/** True if the section is built in: its title differs from its path. */
const isBuiltIn = ({ section, title }: Own): boolean => section === "" || title !== section;

/** Returns custom fields in the organization's order. */
export const placesInOrder = (places: readonly OwnPlace[]): OwnPlace[] =>
  inOrder(places.map((place) => ({ path: place.name, place }))).map(({ place }) => place);

/** Returns the titles of the custom sections, with their fields in order. */
export function ownSections(places: readonly OwnPlace[]): { title: string; places: OwnPlace[] }[] {
  const others = places.filter(({ facts: { own } }) => !isBuiltIn(own));
  const titles = [...new Set(others.map(({ facts: { own } }) => own.section))];
  return titles.map((title) => ({
    title,
    places: placesInOrder(others.filter(({ facts: { own } }) => own.section === title)),
  }));
}

/** True if the field is asked today. */
const isInUse = ({ facts }: OwnPlace): boolean => !isRetired(facts.own);

/** A custom field with its value. */
export type EnteredOwn = { path: string; facts: OwnPlace["facts"]; value: unknown };

/** Returns the custom fields to show in a reading: those with a value, and those that `asks` includes. */
export const enteredOwn = (
  places: readonly OwnPlace[],
  values: object,
  asks: (place: OwnPlace) => boolean = isInUse,
): EnteredOwn[] =>
  places.flatMap((place) => {
    const value: unknown = get(values, place.name);
    return hasOwnValue(value) || asks(place) ? [{ path: place.name, facts: place.facts, value }] : [];
  });

/** Returns the reading of custom fields as a separate section. */
export function readOwn(entered: readonly EnteredOwn[], choices: Choices): Reading {
  const { rows, unticked, missing } = readFields(entered, choices);
  return { parts: rows.length > 0 ? [{ rows }] : [], unticked, missing };
}

/**
 * Returns the values of the record's current custom fields: those of `custom`, else blank ones. Values of a removed field and
 * removed choices are left out: no control shows them, and they would make every save fail.
 */
export function currentValues(
  schema: z.ZodMiniObject<{ custom: z.core.$ZodType<OwnValues | undefined> }>,
  custom: OwnValues = {},
): OwnValues {
  const blank = blanksOf(schema).custom ?? {};
  return Object.fromEntries(
    fieldsOf(schema.shape.custom).map(({ name, facts }) => [
      name,
      withoutRemoved(facts, custom[name]) ?? blank[name] ?? null,
    ]),
  );
}

/** Returns the value without choices that the field does not have. */
function withoutRemoved(facts: FieldFacts, value: OwnValue | undefined): OwnValue | undefined {
  if (facts.kind !== "choice" && facts.kind !== "choices") return value;
  const isChoice = (id: unknown) => facts.choices.some((choice) => choice.value === id);
  if (Array.isArray(value)) return value.filter(isChoice);
  return isChoice(value) ? value : undefined;
}
