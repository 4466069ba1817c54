import { type CustomPlace, customPlaces } from "@/components/record/custom";
import { clientSchema } from "@/lib/clients/schema";
import type { CustomRecord } from "@/lib/core/fields/definitions";
import { asksCustom, hasOwn } from "@/lib/forms/custom";
import { formSchema } from "@/lib/forms/schema";
import type { ServiceStatusName } from "@/lib/forms/words";
import type { FormTypeFlags } from "@/lib/lookups/types";

// The organization's custom fields on the form screen, which has a client and a form.

type Type = FormTypeFlags & { id?: number };

/** Returns the custom fields of both records. */
export const allPlaces = (): CustomPlace[] => [
  ...customPlaces("client", clientSchema),
  ...customPlaces("form", formSchema),
];

/** Returns the custom fields in a section of the screen, whose values are at `path`; those of Form Details for "". */
export const placesIn = (path: string): CustomPlace[] =>
  allPlaces().filter(({ facts: { custom } }) =>
    path === "" || custom.section === ""
      ? path === custom.section
      : `${custom.record}.${custom.section}` === path,
  );

/** Returns the fields that a form of this type and status has, retired ones included. */
export const placesOf = (
  places: readonly CustomPlace[],
  type: Type,
  status: ServiceStatusName | null,
): CustomPlace[] => places.filter(({ facts }) => hasOwn(facts.custom, type, status));

/** Returns a function that returns true if a form of this type and status asks a field. */
export const asksIn =
  (type: Type, status: ServiceStatusName | null) =>
  ({ facts }: CustomPlace): boolean =>
    asksCustom(facts.custom, type, status);

/** Returns those of the values that a form of this type and status has, to be sent. */
export function sentCustom<Value>(
  record: CustomRecord,
  custom: Readonly<Record<string, Value>>,
  type: Type,
  status: ServiceStatusName | null,
): Record<string, Value> {
  const places = placesOf(allPlaces(), type, status);
  const keys = new Set(
    places.flatMap(({ facts: { custom } }) => (custom.record === record ? [custom.key] : [])),
  );
  return Object.fromEntries(Object.entries(custom).filter(([key]) => keys.has(key)));
}
