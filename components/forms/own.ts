import { type OwnPlace, ownPlaces } from "@/components/record/own";
import { clientSchema } from "@/lib/clients/schema";
import type { OwnRecord } from "@/lib/core/fields/definitions";
import { asksOwn, hasOwn } from "@/lib/forms/own";
import { formSchema } from "@/lib/forms/schema";
import type { ServiceStatusName } from "@/lib/forms/words";
import type { FormTypeFlags } from "@/lib/lookups/types";

// The organization's custom fields on the form screen, which has a client and a form.

type Type = FormTypeFlags & { id?: number };

/** Returns the custom fields of both records. */
export const allPlaces = (): OwnPlace[] => [
  ...ownPlaces("client", clientSchema),
  ...ownPlaces("form", formSchema),
];

/** Returns the custom fields in a section of the screen, whose values are at `path`; those of Form Details for "". */
export const placesIn = (path: string): OwnPlace[] =>
  allPlaces().filter(({ facts: { own } }) =>
    path === "" || own.section === "" ? path === own.section : `${own.record}.${own.section}` === path,
  );

/** Returns the fields that a form of this type and status has, retired ones included. */
export const placesOf = (
  places: readonly OwnPlace[],
  type: Type,
  status: ServiceStatusName | null,
): OwnPlace[] => places.filter(({ facts }) => hasOwn(facts.own, type, status));

/** Returns a function that returns true if a form of this type and status asks a field. */
export const asksIn =
  (type: Type, status: ServiceStatusName | null) =>
  ({ facts }: OwnPlace): boolean =>
    asksOwn(facts.own, type, status);

/** Returns those of the values that a form of this type and status has, to be sent. */
export function sentOwn<Value>(
  record: OwnRecord,
  custom: Readonly<Record<string, Value>>,
  type: Type,
  status: ServiceStatusName | null,
): Record<string, Value> {
  const places = placesOf(allPlaces(), type, status);
  const keys = new Set(places.flatMap(({ facts: { own } }) => (own.record === record ? [own.key] : [])));
  return Object.fromEntries(Object.entries(custom).filter(([key]) => keys.has(key)));
}
