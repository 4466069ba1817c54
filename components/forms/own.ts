import { get } from "react-hook-form";
import type { FormValues } from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";
import { type Reading, readFields } from "@/components/record/reading";
import { clientSchema } from "@/lib/clients/schema";
import type { OwnRecord } from "@/lib/core/fields/definitions";
import { type FieldFacts, fieldsOf } from "@/lib/core/fields/facts";
import { hasOwnValue } from "@/lib/core/fields/own";
import { asksOwn, hasOwn, OWN_SECTIONS } from "@/lib/forms/own";
import { formSchema } from "@/lib/forms/schema";
import type { ServiceStatusName } from "@/lib/forms/words";
import type { FormTypeFlags } from "@/lib/lookups/types";

// The organization's own fields on the form screen, in print and in the reading views.

type OwnFieldFacts = FieldFacts & { own: NonNullable<FieldFacts["own"]> };
/** An own field by its path in the screen's values. */
export type OwnPlace = { name: `${OwnRecord}.custom.${string}`; facts: OwnFieldFacts };
type Type = FormTypeFlags & { id?: number };

const SCHEMAS = { client: clientSchema, form: formSchema };

/** Returns all own fields of the record in their order, retired ones included. */
export const ownPlaces = (record: OwnRecord): OwnPlace[] =>
  fieldsOf(SCHEMAS[record].shape.custom).flatMap(({ name, facts }): OwnPlace[] =>
    facts.own ? [{ name: `${record}.custom.${name}`, facts: { ...facts, own: facts.own } }] : [],
  );

const ALL = (): OwnPlace[] => [...ownPlaces("client"), ...ownPlaces("form")];
const isBuiltIn = ({ record, section }: OwnPlace["facts"]["own"]): boolean =>
  OWN_SECTIONS[record].some((known) => known === section);

/** Returns the own fields in a section of the screen, whose first path is `path`; those of Form Details for "". */
export const placesIn = (path: string): OwnPlace[] =>
  ALL().filter(({ facts: { own } }) =>
    path === "" ? own.section === "" : own.section !== "" && `${own.record}.${own.section}` === path,
  );

/** Returns the titles of the organization's own sections, with their fields. */
export function ownSections(records: readonly OwnRecord[] = ["client", "form"]) {
  const places = ALL().filter(
    ({ facts: { own } }) => records.includes(own.record) && !isBuiltIn(own),
  );
  const titles = [...new Set(places.map(({ facts: { own } }) => own.section))];
  return titles.map((title) => ({
    title,
    places: places.filter(({ facts: { own } }) => own.section === title),
  }));
}

/** Returns the fields that a form of this type and status has. */
export const placesOf = (places: readonly OwnPlace[], type: Type, status: ServiceStatusName | null): OwnPlace[] =>
  places.filter(({ facts }) => hasOwn(facts.own, type, status));

/** Returns those of the values that a form of this type and status has, to be sent. */
export function sentOwn<Value>(
  record: OwnRecord,
  custom: Readonly<Record<string, Value>>,
  type: Type,
  status: ServiceStatusName | null,
): Record<string, Value> {
  const keys = new Set(placesOf(ownPlaces(record), type, status).map(({ facts }) => facts.own.key));
  return Object.fromEntries(Object.entries(custom).filter(([key]) => keys.has(key)));
}

/** Returns what is read of own fields: those with a value, and the boxes that the form asks and that are not ticked. */
export function readOwn(
  places: readonly OwnPlace[],
  values: Pick<FormValues, "client" | "form"> | { client: object },
  choices: Choices,
  asks: (place: OwnPlace) => boolean = () => true,
): Reading {
  const entered = places.flatMap((place) => {
    const value: unknown = get(values, place.name);
    return hasOwnValue(value) || asks(place) ? [{ path: place.name, facts: place.facts, value }] : [];
  });
  const { rows, unticked, missing } = readFields(entered, choices);
  return { parts: rows.length > 0 ? [{ rows }] : [], unticked, missing };
}

/** Returns a function that tells if a form of this type and status asks a field. */
export const asksIn =
  (type: Type, status: ServiceStatusName | null) =>
  ({ facts }: OwnPlace): boolean =>
    asksOwn(facts.own, type, status);

/** Returns two readings of one section as one. */
export const joined = (one: Reading, other: Reading): Reading => ({
  parts: [...one.parts, ...other.parts],
  unticked: [...one.unticked, ...other.unticked],
  missing: [...one.missing, ...other.missing],
});
