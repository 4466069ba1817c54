import { useRef, useState } from "react";
import type { Payload } from "@/components/forms/check";
import type { FormRecord } from "@/components/forms/use-form-record";
import type { Client } from "@/lib/clients/api-schema";
import { clientCreation } from "@/lib/clients/creation";
import { clientSchema } from "@/lib/clients/schema";
import { ApiError, call } from "@/lib/core/api/client";
import { toWire } from "@/lib/core/fields/wire";
import type { Form } from "@/lib/forms/api-schema";
import { formCreation } from "@/lib/forms/creation";
import { formSchema, newFormSchema } from "@/lib/forms/schema";
import { closedMessage } from "@/lib/forms/words";

/** The requests of one save. Repeated saves create a new record only once. */
export function useSaveRequests({ form, saved, draft }: FormRecord) {
  const [createClient] = useState(clientCreation);
  const [createForm] = useState(formCreation);
  /** The client who was created with the verbal confirmation of a form that was then refused. */
  const createdWithConsent = useRef<number | null>(null);
  /** The client whose verbal confirmation is not saved yet, although the form that gives it is. */
  const unconfirmed = useRef<number | null>(null);
  return {
    /** Throws 409 before the client is saved, so that a refused form leaves nothing behind. */
    async assertOpenPeriod({ form: { serviceOn } }: Payload): Promise<void> {
      const { closedThrough } = await call("GET /api/closed_periods");
      const days = [serviceOn, saved?.serviceOn ?? serviceOn];
      if (closedThrough && days.some((day) => day <= closedThrough))
        throw new ApiError(409, "period_closed", [closedMessage(closedThrough)]);
    },

    /** Creates or updates the client and returns it as stored. A stored client is confirmed only after the form is saved. */
    async saveClient({ clientId, client, form }: Payload): Promise<{ client: Client }> {
      if (clientId === null) {
        const created = await createClient({ client: toWire(clientSchema, client) });
        if (created.client.verbalConfirmation) createdWithConsent.current = created.client.id;
        return created;
      }
      const { verbalConfirmation: _, ...values } = client;
      // The user has unticked the box since the client was created.
      const isTakenBack = createdWithConsent.current === clientId && !form.verbalConfirmation;
      const sent = isTakenBack ? { ...values, verbalConfirmation: false } : values;
      const body = { client: toWire(clientSchema, sent) };
      const updated = await call("PUT /api/clients/{id}", { params: { id: clientId }, body });
      if (isTakenBack) createdWithConsent.current = null;
      return updated;
    },

    /** Sets the verbal confirmation of the stored client if the saved form gives it. Returns the client as stored. */
    async confirmClient(stored: Client, { clientId, client, form }: Payload): Promise<Client> {
      const { id, name, lockVersion, verbalConfirmation } = stored;
      const isGiven = clientId !== null && client.verbalConfirmation === true;
      const isDue = isGiven || (unconfirmed.current === id && form.verbalConfirmation);
      if (!isDue || verbalConfirmation) return stored;
      unconfirmed.current = id;
      const body = { client: toWire(clientSchema, { name, lockVersion, verbalConfirmation: true }) };
      const confirmed = await call("PUT /api/clients/{id}", { params: { id }, body });
      unconfirmed.current = null;
      return confirmed.client;
    },

    /** Creates or updates the form of the client, deletes its draft, and returns the form as stored. */
    saveForm(clientId: number, payload: Payload): Promise<{ form: Form }> {
      const values = { ...payload.form, clientId };
      const draftKey = draft.key();
      if (saved) {
        const body = { form: toWire(formSchema, values) };
        return call("PUT /api/forms/{id}", { params: { id: saved.id }, body, draftKey });
      }
      const contactId = form.getValues("contactId");
      return createForm({ form: toWire(newFormSchema, { ...values, contactId }) }, { draftKey });
    },
  };
}
