import { get } from "react-hook-form";
import type { z } from "zod/mini";
import type { Choices } from "@/components/record/choices";
import { type Reading, readFields } from "@/components/record/reading";
import type { OwnRecord } from "@/lib/core/fields/definitions";
import { type FieldFacts, fieldsOf } from "@/lib/core/fields/facts";
import { hasOwnValue, type OwnValues } from "@/lib/core/fields/own";
import { isRetired } from "@/lib/core/fields/required";

// The organization's own fields on screens, in print, and in reading views.

type Own = NonNullable<FieldFacts["own"]>;
/** An own field by its path in the values of a screen, such as `form.custom.housingNeed`. */
export type OwnPlace = { name: `${OwnRecord}.custom.${string}`; facts: FieldFacts & { own: Own } };

/** Returns all own fields of the record in their order, retired ones included. */
export const ownPlaces = (record: OwnRecord, schema: { shape: { custom: z.core.$ZodType } }): OwnPlace[] =>
  fieldsOf(schema.shape.custom).flatMap(({ name, facts }): OwnPlace[] =>
    facts.own ? [{ name: `${record}.custom.${name}`, facts: { ...facts, own: facts.own } }] : [],
  );

/** True if the section is one of the program's, whose title differs from its path. */
const isBuiltIn = ({ section, title }: Own): boolean => section === "" || title !== section;

/** Returns the titles of the organization's own sections, with their fields. */
export function ownSections(places: readonly OwnPlace[]): { title: string; places: OwnPlace[] }[] {
  const others = places.filter(({ facts: { own } }) => !isBuiltIn(own));
  const titles = [...new Set(others.map(({ facts: { own } }) => own.section))];
  return titles.map((title) => ({
    title,
    places: others.filter(({ facts: { own } }) => own.section === title),
  }));
}

/** True if the field is asked today. */
const isInUse = ({ facts }: OwnPlace): boolean => !isRetired(facts.own);

/** Returns what is read of own fields: those with a value, and the boxes that `asks` includes and that are not ticked. */
export function readOwn(
  places: readonly OwnPlace[],
  values: object,
  choices: Choices,
  asks: (place: OwnPlace) => boolean = isInUse,
): Reading {
  const entered = places.flatMap((place) => {
    const value: unknown = get(values, place.name);
    return hasOwnValue(value) || asks(place) ? [{ path: place.name, facts: place.facts, value }] : [];
  });
  const { rows, unticked, missing } = readFields(entered, choices);
  return { parts: rows.length > 0 ? [{ rows }] : [], unticked, missing };
}

/** Returns two readings of one section as one. */
export const joined = (one: Reading, other: Reading): Reading => ({
  parts: [...one.parts, ...other.parts],
  unticked: [...one.unticked, ...other.unticked],
  missing: [...one.missing, ...other.missing],
});

/**
 * Returns the values of the current own fields: those of `custom`, else blank ones. A value of a removed field is left
 * out, because it would make every save fail.
 */
export const currentValues = (blank: OwnValues = {}, custom: OwnValues = {}): OwnValues =>
  Object.fromEntries(Object.entries(blank).map(([key, value]) => [key, custom[key] ?? value]));
