"use client";

import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useWatch } from "react-hook-form";
import type { FormValues } from "@/components/forms/values";
import { NO_SUGGESTIONS, SuggestionsContext } from "@/components/record/suggestions";
import { call } from "@/lib/core/api/client";
import type { LastValue } from "@/lib/forms/by-client/schema";

/** A client's last values, and the number of their forms; of no client if `clientId` is null. */
export type ClientSuggestions = { clientId: number | null; values: readonly LastValue[]; forms: number };

/** Suggests the last values of the chosen client on a new form. A stored form has its client already, and no `start`. */
export function FormSuggestions({
  start,
  children,
}: {
  start: ClientSuggestions | undefined;
  children: ReactNode;
}) {
  // A client who is new has no forms, also when the save has made a record.
  const clientId = useWatch({
    compute: ({ clientId, useExistingClient }: FormValues) => (useExistingClient ? clientId : null),
  });
  const [known, setKnown] = useState<Omit<ClientSuggestions, "forms">>(start ?? { clientId, values: [] });
  useEffect(() => {
    if (clientId === null || clientId === known.clientId) return;
    const request = new AbortController();
    call("GET /api/clients/{id}/suggestions", {
      params: { id: clientId },
      signal: request.signal,
    }).then(
      ({ suggestions }) => setKnown({ clientId, values: suggestions }),
      // The form can be filled out without them.
      () => {},
    );
    return () => request.abort();
  }, [clientId, known.clientId]);
  const suggestions = useMemo(
    () =>
      clientId === known.clientId
        ? new Map(known.values.map(({ path, value }) => [`form.${path}`, value]))
        : NO_SUGGESTIONS,
    [clientId, known],
  );
  return <SuggestionsContext value={suggestions}>{children}</SuggestionsContext>;
}
