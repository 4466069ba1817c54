"use client";

import { useState } from "react";
import { get, useFormContext } from "react-hook-form";
import { FieldControl } from "@/components/record/field-control";
import { FieldGrid } from "@/components/ui/section";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { hasOwnValue } from "@/lib/core/fields/own";
import { isRetired } from "@/lib/core/fields/required";

/** Own fields of a section. A retired one is shown only if the record has a value when the screen opens. */
export function OwnFields({ places }: { places: readonly { name: string; facts: FieldFacts }[] }) {
  const form = useFormContext();
  const [opened] = useState(() => structuredClone(form.getValues()));
  const shown = places.filter(
    ({ name, facts }) => !(facts.own && isRetired(facts.own)) || hasOwnValue(get(opened, name)),
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
