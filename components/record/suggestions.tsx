"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { type Choices, screenText } from "@/components/record/choices";
import { fieldId } from "@/components/ui/field";
import type { FieldFacts } from "@/lib/core/fields/facts";
import { shownHint } from "@/lib/core/fields/needed";
import { isReported } from "@/lib/core/fields/reported";

/** Values to suggest, by field, while the field `about` has the value `of`. */
type Suggestions = { about: string; of: unknown; values: ReadonlyMap<string, unknown> };

/** The suggestions for the fields of a form. */
export const SuggestionsContext = createContext<Suggestions | null>(null);

/** Returns the value to suggest for a field, or undefined. */
export const useSuggested = (name: string): unknown => useContext(SuggestionsContext)?.values.get(name);

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
  const { about = "", of } = useContext(SuggestionsContext) ?? {};
  const [current, subject]: unknown[] = useWatch({ name: [name, about] });
  const text = screenText(facts, suggested, choices);
  if (isReported(facts, current) || subject !== of || !text) return children(shownHint(facts));

  function use() {
    form.setValue(name, suggested, { shouldDirty: true, shouldValidate: form.getFieldState(name).invalid });
    onValueChange?.(suggested);
    document.getElementById(fieldId(name))?.focus();
  }

  return children(
    <>
      {shownHint(facts)}
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
