"use client";

import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { FieldPath } from "react-hook-form";
import { check, type Payload, screenPath } from "@/components/forms/check";
import { inPageOrder, type Problem } from "@/components/forms/error-summary";
import type { Failure, Saved } from "@/components/forms/failure-alert";
import { describeWith } from "@/components/forms/fields";
import type { FormRecord } from "@/components/forms/use-form-record";
import {
  clientValues,
  type FormValues,
  formValues,
  rekeyed,
  unstoredClient,
  unstoredForm,
} from "@/components/forms/values";
import { presentClient } from "@/components/record/present-client";
import { type Conflict, readConflict, useConflict } from "@/components/record/use-conflict";
import { clientCreation } from "@/lib/clients/creation";
import { type Client, clientSchema } from "@/lib/clients/schema";
import { ApiError, call, isCode, messagesOf } from "@/lib/core/api/client";
import { toWire } from "@/lib/core/fields/wire";
import { formCreation } from "@/lib/forms/creation";
import { closedMessage } from "@/lib/forms/periods/schema";
import { type Form, formSchema, newFormSchema } from "@/lib/forms/schema";

const KEPT = "Nothing you typed is lost. Please try again.";

const WITHOUT_CONTACT =
  "The form can be saved without being linked to it. Nothing you typed is lost: choose Save again.";

const GONE: Record<Saved, string> = {
  client: "This client is no longer available. Nothing you typed is lost. You can save it as a new client.",
  form: "This form is no longer available, or you can no longer change it. Nothing you typed is lost. You can save it as a new form.",
};

function failureMessages(error: unknown, fieldsMarked: boolean): string[] {
  // The error summary lists them, each with its link.
  if (fieldsMarked) return [];
  const isPassing = isCode(error, "too_many") || (error instanceof ApiError && error.status >= 500);
  const kept = isCode(error, "forbidden") ? ["Nothing you typed is lost."] : [];
  return [...messagesOf(error), ...(isPassing ? [KEPT] : kept)];
}

/**
 * The save sequence: validate, save the client, save the form. Reports what blocked or refused it, and
 * offers a way on when somebody else has changed or removed one of the two records meanwhile. `onSaved` receives what
 * was saved.
 */
export function useFormSave(record: FormRecord, onSaved: (payload: Payload, isNew: boolean) => void) {
  const { form, codes, rules, latestRules, saved, setSaved, base, draft } = record;
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [saving, setSaving] = useState(false);
  const conflict = useConflict();
  const [createClient] = useState(clientCreation);
  const [createForm] = useState(formCreation);

  // Waits until the fields are marked invalid and enabled again.
  useEffect(() => {
    if (saving || problems.length === 0) return;
    const timer = setTimeout(() => {
      document.querySelector<HTMLElement>('#form-screen [aria-invalid="true"]')?.focus();
    });
    return () => clearTimeout(timer);
  }, [problems, saving]);

  const block = (byName: Record<string, string>) => setProblems(inPageOrder(byName));

  /** Returns the values to send, or null after reporting the problems. */
  function checked(): Payload | null {
    const result = check(form.getValues(), latestRules.current);
    if ("payload" in result) return result.payload;
    block(result.problems);
    return null;
  }

  async function submit() {
    if (saving) return;
    setSaving(true);
    setProblems([]);
    setFailure(null);
    if (!(await codes.loaded()) && !(await codes.retry())) {
      // Without the codes, minutes entered for them would be left out.
      setFailure({ messages: ["The service codes could not be loaded.", KEPT] });
      setSaving(false);
      return;
    }
    await form.handleSubmit(
      (payload) => save(payload),
      () => void checked(),
    )();
    setSaving(false);
  }

  async function save(payload: Payload, adoptions = 2): Promise<void> {
    const isNew = saved === null;
    let at: Saved = "client";
    try {
      await draft.hold(async () => {
        at = "form";
        await assertOpenPeriod(payload);
        at = "client";
        const { client } = await saveClient(payload);
        // The client exists from here on: another attempt updates it rather than creating a second one.
        form.setValue("clientId", client.id);
        form.setValue("client.lockVersion", client.lockVersion);
        base.current = { ...base.current, client: clientValues(client) };
        at = "form";
        await saveForm(client.id, payload);
      });
    } catch (error) {
      const again = adoptions > 0 && isOutdated(error, at) && (await adopt(at));
      return again ? save(again, adoptions - 1) : refuse(error, at);
    }
    record.markSaved();
    onSaved(payload, isNew);
  }

  /** Asks before the client is saved, so that nothing is saved of a form that will be refused. */
  async function assertOpenPeriod({ form: { serviceOn } }: Payload) {
    const { closedThrough } = await call("GET /api/closed_periods");
    const days = [serviceOn, saved?.serviceOn ?? serviceOn];
    if (closedThrough && days.some((day) => day <= closedThrough))
      throw new ApiError(409, "period_closed", [closedMessage(closedThrough)]);
  }

  function saveClient({ clientId, client }: Payload): Promise<{ client: Client }> {
    const body = { client: toWire(clientSchema, client) };
    return clientId === null
      ? createClient(body)
      : call("PUT /api/clients/{id}", { params: { id: clientId }, body });
  }

  function saveForm(clientId: number, payload: Payload): Promise<{ form: Form }> {
    const values = { ...payload.form, clientId };
    const draftKey = draft.key;
    if (saved) {
      const body = { form: toWire(formSchema, values) };
      return call("PUT /api/forms/{id}", { params: { id: saved.id }, body, draftKey });
    }
    const contactId = form.getValues("contactId");
    return createForm({ form: toWire(newFormSchema, { ...values, contactId }) }, { draftKey });
  }

  /** True if the record existed before, so that someone else can have saved (409) or removed (404) it. */
  const wasStored = (at: Saved) => (at === "client" ? form.getValues("clientId") : saved) !== null;
  const isOutdated = (error: unknown, at: Saved): boolean =>
    isCode(error, "conflict_version") && wasStored(at);

  function refuse(error: unknown, at: Saved) {
    const { "form.contactId": contactProblem, ...fields } = error instanceof ApiError ? error.fields : {};
    if (contactProblem) {
      form.setValue("contactId", null);
      return setFailure({ messages: [`${contactProblem}. ${WITHOUT_CONTACT}`] });
    }
    const byName = Object.fromEntries(
      Object.entries(fields).map(([path, message]) => [
        screenPath(path, form.getValues(), latestRules.current),
        message,
      ]),
    );
    for (const [name, message] of Object.entries(byName))
      form.setError(name as FieldPath<FormValues>, { type: "server", message });
    const fieldsMarked = Object.keys(byName).length > 0;
    if (fieldsMarked) block(byName);
    if (isCode(error, "not_found") && wasStored(at)) return setFailure({ messages: [GONE[at]], gone: at });
    setFailure({
      messages: failureMessages(error, fieldsMarked),
      changed: isOutdated(error, at) ? at : undefined,
    });
  }

  /** Continues with a removed record as a new one. */
  function keepAsNew(gone: Saved) {
    if (gone === "form") {
      form.setValue("form", unstoredForm(form.getValues("form")));
      setSaved(null);
    } else {
      form.setValue("client", unstoredClient(form.getValues("client")));
      form.setValue("clientId", null);
      form.setValue("useExistingClient", false);
    }
    setFailure(null);
  }

  async function compare(changed: Saved) {
    try {
      await conflict.open(conflictOf(changed));
    } catch (error) {
      setFailure({ messages: messagesOf(error), changed });
    }
  }

  /**
   * Continues from the stored record if it equals what is typed here: it was saved with another form, or by this screen
   * and the response was lost. Returns what to send then; null if there is something to choose.
   */
  async function adopt(changed: Saved): Promise<Payload | null> {
    const found = await conflictOf(changed).catch(() => null);
    if (!found || found.found.length > 0) return null;
    flushSync(() => found.merge(() => false));
    return checked();
  }

  /** Reads the stored record and finds where it differs from what is typed here. */
  async function conflictOf(changed: Saved): Promise<Conflict> {
    const id = changed === "client" ? form.getValues("clientId") : saved?.id;
    if (!id) throw new Error(`The ${changed} is not stored yet`);
    const common = { describe: describeWith(rules.codes), choices: rules.choices };
    const settle = () => {
      form.clearErrors();
      setFailure(null);
    };
    if (changed === "client")
      return readConflict({
        ...common,
        prefix: "client",
        read: () => presentClient(id),
        versions: (stored) => ({
          base: base.current.client,
          theirs: clientValues(stored),
          mine: form.getValues("client"),
        }),
        use(values, stored) {
          base.current = { ...base.current, client: clientValues(stored) };
          form.setValue("clientId", stored.id);
          form.setValue("client", values);
          settle();
        },
      });
    return readConflict({
      ...common,
      prefix: "form",
      read: async () => (await call("GET /api/forms/{id}", { params: { id } })).form,
      versions: (stored) => ({
        base: rekeyed(base.current.form, stored),
        theirs: formValues(stored, rules.lists),
        mine: rekeyed(form.getValues("form"), stored),
      }),
      use(values, stored) {
        base.current = { ...base.current, form: formValues(stored, rules.lists) };
        setSaved(stored);
        form.setValue("form", values);
        void codes.load(values.formTypeId);
        settle();
      },
    });
  }

  return {
    saving,
    problems,
    failure,
    conflict,
    submit,
    compare,
    keepAsNew,
    dismiss: () => setFailure(null),
  };
}
