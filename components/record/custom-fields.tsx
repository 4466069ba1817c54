"use client";

import { useState } from "react";
import { get, useFormContext } from "react-hook-form";
import { FieldControl } from "@/components/record/field-control";
import { FieldGrid } from "@/components/ui/section";
import { hasCustomValue } from "@/lib/core/fields/custom";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { isRetired } from "@/lib/core/fields/required";

/** A custom field by its path in the form. */
export type FieldInForm = { name: string; facts: FieldFacts };

/**
 * Returns the fields that a screen shows. It shows a retired field only if the record had a value when the screen opened, or
 * if the field was retired since then.
 */
export function useShownCustom<Field extends FieldInForm>(places: readonly Field[]): Field[] {
  const form = useFormContext();
  const [opened] = useState(() => structuredClone(form.getValues()));
  const isAsked = ({ facts }: FieldInForm) => !(facts.custom && isRetired(facts.custom));
  const [askedAtFirst] = useState(() => new Set(places.filter(isAsked).map(({ name }) => name)));
  return places.filter(
    (place) => isAsked(place) || askedAtFirst.has(place.name) || hasCustomValue(get(opened, place.name)),
  );
}

/** The custom fields of a section without built-in ones. */
export function CustomFields({ places }: { places: readonly FieldInForm[] }) {
  const shown = useShownCustom(places);
  if (shown.length === 0) return null;
  return (
    <FieldGrid>
      {shown.map((place) => (
        <CustomFieldControl key={place.name} {...place} />
      ))}
    </FieldGrid>
  );
}

/** The control of a custom field. A long text and several choices need their own row. */
export const CustomFieldControl = ({ name, facts }: FieldInForm) => (
  <FieldControl
    name={name}
    facts={facts}
    choices={NO_LISTS}
    className={facts.kind === "longText" || facts.kind === "choices" ? "col-span-full" : undefined}
  />
);

const NO_LISTS = {};
