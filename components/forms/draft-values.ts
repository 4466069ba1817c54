import { type Base, type FormValues, type RowValues, rekeyed } from "@/components/forms/values";
import { clientSchema } from "@/lib/clients/schema";
import { fieldsOf } from "@/lib/core/fields/facts";
import { id } from "@/lib/core/fields/validation";
import { isRecord } from "@/lib/core/objects";
import type { Form } from "@/lib/forms/api-schema";
import { fitted, type Unopened } from "@/lib/forms/drafts/fitted";
import type { Draft } from "@/lib/forms/drafts/schema";
import { formSchema } from "@/lib/forms/schema";
import { services } from "@/lib/forms/sections/services";

/** The draft's values, the base for conflicts, and the values that could not be restored. */
type Continued = { values: FormValues; base: Base; unopened: Unopened[] };

/**
 * Applies a draft, from any version of the program, to the stored form. `initial` holds the screen's values without the
 * draft; they remain wherever the draft has no usable value.
 */
export function draftValues(draft: Draft, initial: FormValues, stored: Form | null): Continued {
  const { useExistingClient, clientId, contactId, client, base } = draft.content;
  const unopened: Unopened[] = [];
  const form = fitForm(initial.form, draft.content.form, unopened);
  const values: FormValues = {
    ...initial,
    contactId: id().safeParse(contactId).data ?? null,
    client: fitted(clientSchema, initial.client, client, unopened, "Client"),
    form: stored ? rekeyed(form, stored) : form,
  };
  // Without the draft's client, its blanks would overwrite the chosen client's values.
  if (isRecord(client)) {
    values.useExistingClient = useExistingClient === true;
    if (clientId === null || (typeof clientId === "number" && Number.isSafeInteger(clientId)))
      values.clientId = clientId;
  }
  const before = isRecord(base) ? base : {};
  return {
    values,
    base: {
      client: fitted(clientSchema, initial.client, before.client, []),
      form: fitForm(initial.form, before.form, []),
    },
    unopened,
  };
}

const ROW_KEY = /^[cs]\d{1,10}$/;
const PROVIDED = fieldsOf(services.schema).find(({ facts }) => facts.kind === "entries");

/** Returns a form's values, with service rows under the screen's own keys. */
function fitForm(initial: FormValues["form"], kept: unknown, unopened: Unopened[]): FormValues["form"] {
  const form = fitted(formSchema, initial, kept, unopened);
  const entry = isRecord(kept) && isRecord(kept.serviceEntry) ? kept.serviceEntry : {};
  if (!isRecord(entry.rows)) return form;
  const rows: Record<string, RowValues> = {};
  const fitRow = (blank: RowValues, kept: unknown): RowValues =>
    PROVIDED ? fitted(PROVIDED.schema, blank, kept, unopened, PROVIDED.facts.label) : blank;
  for (const [key, row] of Object.entries(entry.rows)) {
    if (!ROW_KEY.test(key)) fitRow({}, { [key]: row });
    else rows[key] = fitRow(initial.serviceEntry.rows[key] ?? {}, isRecord(row) ? asTyped(row) : row);
  }
  return { ...form, serviceEntry: { ...form.serviceEntry, rows } };
}

/** Removes response data that no user enters from a stored row. */
function asTyped({ serviceCode, serviceEntryId, ...typed }: Record<string, unknown>) {
  return typed;
}
