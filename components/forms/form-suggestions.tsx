"use client";

import { type ReactNode, useMemo } from "react";
import { SuggestionsContext } from "@/components/record/suggestions";
import type { LastValue } from "@/lib/forms/by-client/read";

/** Suggests the client's last values on a new form, as long as that client is chosen. */
export function FormSuggestions({
  clientId,
  values,
  children,
}: {
  clientId: number | null;
  values: readonly LastValue[];
  children: ReactNode;
}) {
  const suggestions = useMemo(
    () => ({
      about: "clientId",
      of: clientId,
      values: new Map(values.map(({ path, value }) => [`form.${path}`, value])),
    }),
    [clientId, values],
  );
  return <SuggestionsContext value={suggestions}>{children}</SuggestionsContext>;
}
