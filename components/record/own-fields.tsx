"use client";

import { useState } from "react";
import { get, useFormContext } from "react-hook-form";
import { FieldControl } from "@/components/record/field-control";
import { FieldGrid } from "@/components/ui/section";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { hasOwnValue } from "@/lib/core/fields/own";
import { isRetired } from "@/lib/core/fields/required";

/** An own field by its path in the form. */
export type OwnField = { name: string; facts: FieldFacts };

/**
 * Returns the fields that a screen shows: a retired one only if the record has a value when the screen opens, or if the
 * field was retired since.
 */
export function useShownOwn<Field extends OwnField>(places: readonly Field[]): Field[] {
  const form = useFormContext();
  const [opened] = useState(() => structuredClone(form.getValues()));
  const isAsked = ({ facts }: OwnField) => !(facts.own && isRetired(facts.own));
  const [askedAtFirst] = useState(() => new Set(places.filter(isAsked).map(({ name }) => name)));
  return places.filter(
    (place) => isAsked(place) || askedAtFirst.has(place.name) || hasOwnValue(get(opened, place.name)),
  );
}

/** The own fields of a section that has no others. */
export function OwnFields({ places }: { places: readonly OwnField[] }) {
  const shown = useShownOwn(places);
  if (shown.length === 0) return null;
  return (
    <FieldGrid>
      {shown.map((place) => (
        <OwnFieldControl key={place.name} {...place} />
      ))}
    </FieldGrid>
  );
}

/** The control of an own field. A long text and several choices need their own row. */
export const OwnFieldControl = ({ name, facts }: OwnField) => (
  <FieldControl
    name={name}
    facts={facts}
    choices={NO_LISTS}
    className={facts.kind === "longText" || facts.kind === "choices" ? "col-span-full" : undefined}
  />
);

const NO_LISTS = {};
