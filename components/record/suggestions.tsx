"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { type Choices, screenText } from "@/components/record/choices";
import { fieldId } from "@/components/ui/field";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { isReported } from "@/lib/core/fields/reported";

export const NO_SUGGESTIONS: ReadonlyMap<string, unknown> = new Map();

/** The values to suggest, by field. */
export const SuggestionsContext = createContext(NO_SUGGESTIONS);

/** Returns the value to suggest for a field, or undefined. */
export const useSuggested = (name: string): unknown => useContext(SuggestionsContext).get(name);

/** Adds a suggestion to the hint of a blank field. The field keeps its value until the user uses the suggestion. */
export function WithSuggestion({
  name,
  facts,
  choices,
  suggested,
  onValueChange,
  children,
}: {
  name: string;
  facts: FieldFacts;
  choices: Choices;
  suggested: unknown;
  onValueChange?: (value: unknown) => void;
  children: (hint: ReactNode) => ReactNode;
}) {
  const form = useFormContext();
  const current: unknown = useWatch({ name });
  const text = screenText(facts, suggested, choices);
  if (isReported(facts, current) || !text) return children(facts.hint);

  function use() {
    form.setValue(name, suggested, { shouldDirty: true, shouldValidate: form.getFieldState(name).invalid });
    onValueChange?.(suggested);
    document.getElementById(fieldId(name))?.focus();
  }

  return children(
    <>
      {facts.hint}
      <span className="block wrap-anywhere">
        {`Last time: ${text} · `}
        <button
          type="button"
          className="link min-h-6"
          aria-label={`Use ${text} for ${facts.label}`}
          onClick={use}
        >
          Use
        </button>
      </span>
    </>,
  );
}
