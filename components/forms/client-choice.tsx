"use client";

import type { RefObject } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { SimilarClients } from "@/components/clients/similar-clients";
import { ClientPicker } from "@/components/forms/client-picker";
import { factsAt } from "@/components/forms/fields";
import { useClientChoice } from "@/components/forms/use-client-choice";
import type { Base, FormValues } from "@/components/forms/values";
import type { Choices } from "@/components/record/choices";
import { FieldControl } from "@/components/record/field-control";
import { ErrorAlert } from "@/components/ui/alert";
import { CheckboxField } from "@/components/ui/choice-fields";
import { Button } from "@/components/ui/controls";
import { fieldId } from "@/components/ui/field";
import type { ClientHit } from "@/lib/clients/api-schema";

/** Puts the checkbox on the line of the label below it. */
const ON_LABEL_LINE = "md:absolute md:-top-1 md:right-0 md:z-1 md:[&>label]:min-h-6 md:[&>label]:py-0";

/**
 * The client of a new form. Continuing Client decides: a client who has a record is found by name, a new one is named,
 * with recorded clients of similar names beneath.
 */
export function ClientChoice({
  choices,
  base,
  consents,
  formsAtStart,
}: {
  choices: Choices;
  base: RefObject<Base>;
  consents: RefObject<Map<number, boolean>>;
  /** The client that the screen began with, and the number of their forms. */
  formsAtStart: { clientId: number | null; forms: number } | undefined;
}) {
  const form = useFormContext<FormValues>();
  const client = useClientChoice({ base, consents });
  const { existing, clientId, choice } = client;
  return (
    <div className="stack">
      <div className="relative">
        <CheckboxField
          name="useExistingClient"
          label="Continuing Client"
          className={ON_LABEL_LINE}
          onValueChange={(ticked) => (ticked ? form.clearErrors("client.name") : client.begin(null))}
        />
        {existing ? (
          <ClientPicker
            name="clientId"
            chosen={client.chosenName}
            forms={choice?.forms ?? (clientId === formsAtStart?.clientId ? formsAtStart?.forms : undefined)}
            onChoose={(choice) => void client.choose(choice)}
          />
        ) : (
          <FieldControl facts={factsAt("client.name")} name="client.name" choices={choices} />
        )}
      </div>
      <ErrorAlert messages={client.errors} />
      {client.restore && (
        <Button className="self-start" onClick={client.restore}>
          Restore what you typed about the client
        </Button>
      )}
      {!existing && clientId === null && <SimilarToTyped onChoose={client.useExisting} />}
      {client.isLoading && <p role="status">{`Loading ${choice?.name}…`}</p>}
    </div>
  );
}

function SimilarToTyped({ onChoose }: { onChoose: (client: ClientHit) => void }) {
  return (
    <SimilarClients
      typed={useWatch<FormValues, "client.name">({ name: "client.name" })}
      onChoose={onChoose}
    />
  );
}

/** Returns the id of the field in which a new form begins: its client, or its type if it has a client. */
export const firstFieldOf = ({
  useExistingClient,
  clientId,
}: Pick<FormValues, "useExistingClient" | "clientId">): string =>
  fieldId(clientId !== null ? "form.formTypeId" : useExistingClient ? "clientId" : "client.name");
