"use client";

import { useState } from "react";
import { get, useFormContext } from "react-hook-form";
import { FieldControl } from "@/components/record/field-control";
import { FieldGrid } from "@/components/ui/section";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { hasOwnValue } from "@/lib/core/fields/own";
import { isRetired } from "@/lib/core/fields/required";

type Place = { name: string; facts: FieldFacts };

/**
 * Own fields of a section. A retired one is shown only if the record has a value when the screen opens, or if the field was
 * retired since.
 */
export function OwnFields({ places }: { places: readonly Place[] }) {
  const form = useFormContext();
  const isAsked = ({ facts }: Place) => !(facts.own && isRetired(facts.own));
  const [opened] = useState(() => structuredClone(form.getValues()));
  const [askedAtFirst] = useState(() => new Set(places.filter(isAsked).map(({ name }) => name)));
  const shown = places.filter(
    (place) => isAsked(place) || askedAtFirst.has(place.name) || hasOwnValue(get(opened, place.name)),
  );
  if (shown.length === 0) return null;
  return (
    <FieldGrid>
      {shown.map(({ name, facts }) => (
        <FieldControl
          key={name}
          name={name}
          facts={facts}
          choices={NO_LISTS}
          className={facts.kind === "longText" || facts.kind === "choices" ? "col-span-full" : undefined}
        />
      ))}
    </FieldGrid>
  );
}

const NO_LISTS = {};
