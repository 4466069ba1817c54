import type { FieldPath } from "react-hook-form";
import { factsAt } from "@/components/forms/fields";
import type { FormValues } from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";
import { CustomFieldControl, type FieldInForm, useShownCustom } from "@/components/record/custom-fields";
import { FieldControl } from "@/components/record/field-control";
import { BELOW_BOX, FieldGrid } from "@/components/ui/section";

/** Built-in and custom fields in one grid, in the order of `names`. Of the custom fields, shows only those in `custom`. */
export function NamedFields({
  names,
  custom,
  choices,
}: {
  names: readonly FieldPath<FormValues>[];
  custom: readonly FieldInForm[];
  choices: Choices;
}) {
  const places = new Map(useShownCustom(custom).map((place) => [place.name, place]));
  const show = (name: FieldPath<FormValues>, className?: string) => {
    const place = places.get(name);
    const facts = factsAt(name);
    if (place) return <CustomFieldControl key={name} {...place} />;
    return facts.custom || facts.hidden ? null : (
      <FieldControl key={name} {...{ name, facts, choices, className }} />
    );
  };
  return (
    <FieldGrid>
      {names.map((name, at) => {
        if (isUnderBox(name, names[at - 1])) return null;
        const below = names[at + 1];
        if (!isUnderBox(below, name)) return show(name);
        return (
          <div key={name}>
            {show(name)}
            {show(below, BELOW_BOX)}
          </div>
        );
      })}
    </FieldGrid>
  );
}

/** True for the relationship if the box that it belongs to is directly before it. */
const isUnderBox = (
  name: FieldPath<FormValues> | undefined,
  before: FieldPath<FormValues> | undefined,
): name is FieldPath<FormValues> =>
  name === "client.relationshipToSurvivor" && before === "client.significantOther";
