import { type RefObject, useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import type { FormValues } from "@/components/forms/values";
import { call } from "@/lib/core/api/client";
import { yesNo } from "@/lib/core/text/format";

/** Shows the verbal confirmation of the chosen client, next to that of the form. */
export function ClientConsent({ consents }: { consents: RefObject<Map<number, boolean>> }) {
  const clientId = useWatch<FormValues, "clientId">({ name: "clientId" });
  const known = clientId === null ? undefined : consents.current.get(clientId);
  const [, setRead] = useState<number | null>(null);

  // A draft names its client only by id. Without an answer, nothing is shown.
  useEffect(() => {
    if (clientId === null || consents.current.has(clientId)) return;
    const body = { phoneNumbers: [] };
    call("POST /api/clients/{id}/compared", { params: { id: clientId }, body }).then(
      ({ client }) => {
        consents.current.set(client.id, client.verbalConfirmation);
        setRead(client.id);
      },
      () => {},
    );
  }, [clientId, consents]);

  return known === undefined ? null : <span className="text-muted">{`Client: ${yesNo(known)}`}</span>;
}
