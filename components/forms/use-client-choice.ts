import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { type UseFormReturn, useFormContext, useWatch } from "react-hook-form";
import { recordRevealed } from "@/components/clients/phone-number";
import {
  type Base,
  blankClient,
  clientValues,
  type FormValues,
  noClient,
  withTyped,
} from "@/components/forms/values";
import { fieldId } from "@/components/ui/field";
import type { ClientHit } from "@/lib/clients/api-schema";
import { call, messagesOf } from "@/lib/core/api/client";

const isTyped = (client: FormValues["client"]) => JSON.stringify(client) !== JSON.stringify(blankClient());

/**
 * The client of a new form: a chosen one with their values, or a new one. The values typed about a client stay
 * available after another one is chosen.
 */
export function useClientChoice({
  base,
  consents,
}: {
  base: RefObject<Base>;
  consents: RefObject<Map<number, boolean>>;
}) {
  const form: UseFormReturn<FormValues> = useFormContext();
  const existing = useWatch<FormValues, "useExistingClient">({ name: "useExistingClient" });
  const clientId = useWatch<FormValues, "clientId">({ name: "clientId" });
  const [choice, setChoice] = useState<ClientHit | null>(null);
  const latest = useRef<number | null>(null);
  const [errors, setErrors] = useState<string[]>([]);
  /** The values typed about clients that are no longer chosen; otherwise blank. */
  const [putAside, setPutAside] = useState(blankClient);
  /** A chosen client keeps their name. */
  const restorable = clientId === null ? putAside : { ...putAside, name: "" };

  function show(values: Pick<FormValues, "client" | "clientId">, loaded = values.client) {
    base.current = { ...base.current, client: loaded };
    form.setValue("clientId", values.clientId);
    form.setValue("client", values.client);
    form.clearErrors(["clientId", "client"]);
  }

  /** Starts again without a client, or with one that is being loaded. */
  function begin(choice: ClientHit | null) {
    setPutAside(withTyped(putAside, form.getValues("client"), base.current.client));
    show(noClient());
    latest.current = choice?.id ?? null;
    setChoice(choice);
    setErrors([]);
  }

  /** Exchanges what is put aside for what was typed since. */
  function restore() {
    const { client: loaded } = base.current;
    const typedSince = withTyped(blankClient(), form.getValues("client"), loaded);
    form.setValue("client", withTyped(loaded, restorable, blankClient()));
    setPutAside(clientId === null ? typedSince : { ...typedSince, name: putAside.name });
  }

  async function choose(choice: ClientHit) {
    // Until the chosen client has loaded, a save has no client. It must never save the previous one under the new name.
    begin(choice);
    try {
      const { client } = await call("GET /api/clients/{id}", { params: { id: choice.id } });
      if (latest.current !== client.id) return;
      // The screen shows the number in a field.
      if (client.clientBiographicalEntry?.phoneNumber) await recordRevealed([client.id]);
      if (latest.current !== client.id) return;
      consents.current.set(client.id, client.verbalConfirmation);
      const loaded = clientValues(client);
      const typedMeanwhile = form.getValues("client");
      show({ client: withTyped(loaded, typedMeanwhile, blankClient()), clientId: client.id }, loaded);
    } catch (error) {
      if (latest.current !== choice.id) return;
      setChoice(null);
      setErrors(messagesOf(error));
    }
  }

  return {
    /** True if the form is for a client who has a record. */
    existing,
    clientId,
    /** The client as found by the search; null if the screen began with the client. */
    choice,
    isLoading: existing && choice !== null && clientId !== choice.id,
    chosenName: choice?.name ?? (clientId === null ? "" : form.getValues("client.name")),
    errors,
    // Not while a client is being chosen, because their values are not known yet.
    restore: existing === (clientId !== null) && isTyped(restorable) ? restore : null,
    begin,
    choose,
    /** Chooses a client while the name of a new one is typed. */
    useExisting(client: ClientHit) {
      flushSync(() => form.setValue("useExistingClient", true));
      void choose(client);
      // The pressed button is gone.
      document.getElementById(fieldId("clientId"))?.focus();
    },
  };
}
