"use client";

import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { type Choices, offersNothing, optionsOf } from "@/components/record/choices";
import { useSuggested, WithSuggestion } from "@/components/record/suggestions";
import { CheckboxField, CheckboxGroupField, SelectField } from "@/components/ui/choice-fields";
import { DateField } from "@/components/ui/date-field";
import { NumberField, TextAreaField, TextField } from "@/components/ui/text-fields";
import type { Choice, FieldFacts } from "@/lib/core/fields/facts";
import { isRetired, requires } from "@/lib/core/fields/required";
import { parseDate, parseMinutes, today } from "@/lib/core/text/format";

type Props = {
  facts: FieldFacts;
  choices: Choices;
  /** Its path in the form. */
  name: string;
  className?: string;
  /** Shows the error message to assistive technology only. */
  hideError?: boolean;
  /** The number of lines of a long text. */
  rows?: number;
  /** The text of a select's empty option. */
  placeholder?: string;
  onValueChange?: (value: unknown) => void;
};

/**
 * Renders the control for a field, chosen by the field's facts, with a suggestion if there is one. Values are those of
 * its schema; see components/ui/field.tsx.
 */
export function FieldControl(props: Props) {
  const suggested = useSuggested(props.name);
  const Control = props.facts.requiredFrom ? ControlOfDay : AnyControl;
  if (suggested === undefined) return <Control {...props} />;
  return (
    <WithSuggestion {...props} suggested={suggested}>
      {(hint) => <Control {...props} hint={hint} />}
    </WithSuggestion>
  );
}

/** A control with a star only if its field is required on the day of the record. */
function ControlOfDay({ facts, ...props }: Props & { hint?: ReactNode }) {
  const serviceOn: unknown = useWatch({ name: "form.serviceOn" });
  const isOfForm = props.name.startsWith("form.");
  const day = isOfForm && typeof serviceOn === "string" ? parseDate(serviceOn) : today();
  return <AnyControl facts={{ ...facts, required: facts.required || requires(facts, day) }} {...props} />;
}

/** One or several choices of a custom field. A retired choice is offered only if it is chosen. */
function CustomChoice({
  options,
  several = false,
  ...props
}: Omit<Props, "facts" | "choices"> & {
  label: string;
  required: boolean;
  hint?: ReactNode;
  options: readonly Choice[];
  several?: boolean;
}) {
  const chosen: unknown[] = [useWatch({ name: props.name })].flat();
  const offered = options.filter((option) => !isRetired(option) || chosen.includes(option.value));
  return several ? (
    <CheckboxGroupField {...props} options={offered} />
  ) : (
    <SelectField {...props} options={offered} />
  );
}

/** The paths of names of people and places. A phone's keyboard begins each word of them with a capital. */
const PROPER_NAME = /(^|\.)(name|\w+Name|city|address2?)$/;

function AnyControl({
  facts,
  choices,
  rows = 2,
  placeholder,
  hint = facts.hint,
  ...more
}: Props & { hint?: ReactNode }) {
  const { label, required } = facts;
  const common = { label, required, needed: facts.usedIn !== undefined, hint, ...more };
  switch (facts.kind) {
    case "text":
      return (
        <TextField
          {...common}
          mask={facts.mask}
          letters={facts.letters}
          type={facts.mask === "phone" ? "tel" : "text"}
          autoCapitalize={PROPER_NAME.test(more.name) ? "words" : undefined}
        />
      );
    case "email":
      return <TextField {...common} type="email" />;
    case "longText":
      return <TextAreaField {...common} rows={rows} />;
    case "flag":
      // Unchecked is a valid answer, so a checkbox is never marked as required.
      return <CheckboxField {...common} required={false} />;
    case "day":
      // A day that begins as today is the day of a record, which a closed month refuses.
      return (
        <DateField
          {...common}
          min={facts.earliest}
          max={facts.latest()}
          marksClosed={facts.initial !== undefined}
        />
      );
    case "minutes":
      return <NumberField {...common} read={parseMinutes} />;
    case "count":
    case "whole":
      return <NumberField {...common} />;
    case "money":
      return <NumberField {...common} decimals />;
    case "choices":
      return <CustomChoice {...common} options={facts.choices} several />;
    case "choice":
    case "lookup":
      if (facts.kind === "choice" && facts.custom)
        return <CustomChoice {...common} options={facts.choices} />;
      return (
        <SelectField
          {...common}
          options={optionsOf(facts, choices)}
          placeholder={placeholder}
          noEmpty={!offersNothing(facts)}
        />
      );
    case "lookups":
      return <CheckboxGroupField {...common} options={optionsOf(facts, choices)} />;
    default:
      return null;
  }
}
