"use client";

import { useContext } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { ClientPicker } from "@/components/forms/client-picker";
import { factsAt } from "@/components/forms/fields";
import type { ClientSuggestions } from "@/components/forms/form-suggestions";
import { ScreenParts, type SharedParts } from "@/components/forms/screen-parts";
import { useClientChoice } from "@/components/forms/use-client-choice";
import type { FormValues } from "@/components/forms/values";
import { FieldControl } from "@/components/record/field-control";
import { ErrorAlert } from "@/components/ui/alert";
import { CheckboxField } from "@/components/ui/choice-fields";
import { Button } from "@/components/ui/controls";
import { loadable, useLoadedPart } from "@/components/ui/loadable";
import type { ClientHit } from "@/lib/clients/api-schema";

// Without this hint, the form can still be filled out.
const similarClients = loadable(
  async () => (await import("@/components/clients/similar-clients")).SimilarClients,
);

/** Puts the checkbox on the line of the label below it. */
const ON_LABEL_LINE = "md:absolute md:-top-1 md:right-0 md:z-1 md:[&>label]:min-h-6 md:[&>label]:py-0";

type Props = {
  /** The client that the screen began with, and the number of their forms. */
  formsAtStart: Pick<ClientSuggestions, "clientId" | "forms"> | undefined;
};

/**
 * The client of a new form. Continuing Client decides: a client who has a record is found by name, a new one is named,
 * with recorded clients of similar names beneath. The page of a new form hands it to the form screen.
 */
export function ClientChoice(props: Props) {
  const parts = useContext(ScreenParts);
  return parts && <Choice {...parts} {...props} />;
}

function Choice({ choices, base, consents, formsAtStart }: SharedParts & Props) {
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
  const typed = useWatch<FormValues, "client.name">({ name: "client.name" });
  const SimilarClients = useLoadedPart(similarClients, typed !== "");
  return SimilarClients && <SimilarClients typed={typed} onChoose={onChoose} />;
}
