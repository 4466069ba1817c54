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
export function useSaveRequests({ form, saved, draft, consents }: FormRecord) {
  const [createClient] = useState(clientCreation);
  const [createForm] = useState(formCreation);
  /** The client who got a verbal confirmation from a save whose form was then refused. */
  const confirmed = useRef<number | null>(null);
  return {
    /** Throws 409 before the client is saved, so that a refused form leaves nothing behind. */
    async assertOpenPeriod({ form: { serviceOn } }: Payload): Promise<void> {
      const { closedThrough } = await call("GET /api/closed_periods");
      const days = [serviceOn, saved?.serviceOn ?? serviceOn];
      if (closedThrough && days.some((day) => day <= closedThrough))
        throw new ApiError(409, "period_closed", [closedMessage(closedThrough)]);
    },

    /** Creates or updates the client and returns it as stored. */
    async saveClient({ clientId, client, form }: Payload): Promise<{ client: Client }> {
      // The user has unticked the box since that save.
      const isTakenBack = clientId !== null && confirmed.current === clientId && !form.verbalConfirmation;
      const values = isTakenBack ? { ...client, verbalConfirmation: false } : client;
      const body = { client: toWire(clientSchema, values) };
      const before = clientId !== null && consents.current.get(clientId);
      const saved =
        clientId === null
          ? await createClient(body)
          : await call("PUT /api/clients/{id}", { params: { id: clientId }, body });
      if (isTakenBack) confirmed.current = null;
      else if (values.verbalConfirmation && before === false) confirmed.current = saved.client.id;
      return saved;
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
