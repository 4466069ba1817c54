import type { FieldPath } from "react-hook-form";
import { factsAt } from "@/components/forms/fields";
import type { FormValues } from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { type FieldInForm, OwnFieldControl, useShownOwn } from "@/components/record/own-fields";
import { FieldGrid } from "@/components/ui/section";

/** Built-in and custom fields in one grid, in the order of `names`. Of the custom fields, shows only those in `own`. */
export function NamedFields({
  names,
  own,
  choices,
}: {
  names: readonly FieldPath<FormValues>[];
  own: readonly FieldInForm[];
  choices: Choices;
}) {
  const places = new Map(useShownOwn(own).map((place) => [place.name, place]));
  return (
    <FieldGrid>
      {names.map((name) => {
        const place = places.get(name);
        const facts = factsAt(name);
        if (place) return <OwnFieldControl key={name} {...place} />;
        return facts.own || facts.hidden ? null : <FieldControl key={name} {...{ name, facts, choices }} />;
      })}
    </FieldGrid>
  );
}
