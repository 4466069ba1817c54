"use client";

import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { check, type Payload } from "@/components/forms/check";
import { inPageOrder, type Problem } from "@/components/forms/error-summary";
import type { Failure, SavedRecord } from "@/components/forms/failure-alert";
import {
  codesMissing,
  continueAsNew,
  failureOf,
  isOutdated,
  markRefusedFields,
  SAVED_ELSEWHERE,
  unlinkRefusedContact,
} from "@/components/forms/save-failure";
import { useSaveRequests } from "@/components/forms/save-requests";
import type { FormRecord } from "@/components/forms/use-form-record";
import { clientValues } from "@/components/forms/values";
import { currentValues } from "@/components/record/custom";
import { useConflict } from "@/components/record/use-conflict";
import { adoptAfter } from "@/components/record/use-definitions";
import { focusField } from "@/components/ui/open-section";
import type { Client } from "@/lib/clients/api-schema";
import { clientSchema } from "@/lib/clients/schema";
import { messagesOf } from "@/lib/core/api/client";
import type { Form } from "@/lib/forms/api-schema";
import { formSchema } from "@/lib/forms/schema";

/** The number of times a save continues from a record that someone else has saved with the same values. */
const MAX_ADOPTIONS = 2;

/**
 * Runs a save: validates, then stores client and form. Reports the reasons for a refusal. If someone else has changed or
 * removed one of the two records, it offers ways to continue. `onSaved` receives the sent values and the stored form. The save
 * ends when `onSaved` is done.
 */
export function useFormSave(
  record: FormRecord,
  onSaved: (payload: Payload, stored: Form, isNew: boolean) => Promise<void>,
) {
  const { form, codes, latestRules, saved, draft } = record;
  const requests = useSaveRequests(record);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [saving, setSaving] = useState(false);
  /** True if the user wants another form, although the draft was saved elsewhere. */
  const isSeparate = useRef(false);
  const conflict = useConflict();
  useFocusOnInvalidField(problems, saving);

  async function submit() {
    if (saving) return;
    setSaving(true);
    setProblems([]);
    setFailure(null);
    if ((await codes.loaded()) || (await codes.retry())) {
      await form.handleSubmit(saveUnlessElsewhere, () => void payloadToSend())();
    } else {
      setFailure(codesMissing(codes.failure()));
    }
    setSaving(false);
  }

  /** Returns the values to send, or null after reporting the problems. */
  function payloadToSend(): Payload | null {
    const result = check(form.getValues(), latestRules.current);
    if ("payload" in result) return result.payload;
    setProblems(inPageOrder(result.problems));
    return null;
  }

  /** Saves the form. If the draft of a new form was used elsewhere, it may already be a form, so this asks first. */
  async function saveUnlessElsewhere(payload: Payload): Promise<void> {
    // Also for a stored form: a save deletes this page's draft, which may have newer values of another page.
    const isElsewhere = await draft.check();
    if (isElsewhere && saved === null && !isSeparate.current) return setFailure(SAVED_ELSEWHERE);
    await save(payload);
  }

  async function save(payload: Payload, adoptions = MAX_ADOPTIONS): Promise<void> {
    const isNew = saved === null;
    /** The record that an error is about. */
    let part: SavedRecord = "client";
    let stored: Form;
    try {
      stored = await draft.hold(() => {
        return storeBoth(record, requests, payload, (next) => {
          part = next;
        });
      });
    } catch (error) {
      const again = adoptions > 0 && isOutdated(error, record, part) && (await adopt(part));
      if (again) return save(again, adoptions - 1);
      const changed = await adoptAfter(error);
      if (changed.length > 0) flushSync(() => adoptFields(record));
      return refuse(error, part, changed);
    }
    record.markSaved();
    await onSaved(payload, stored, isNew);
  }

  /** Reports a refused save; `changed` are the changes of fields since the screen opened. */
  function refuse(error: unknown, part: SavedRecord, changed: readonly string[]) {
    const refusedLink = unlinkRefusedContact(error, record);
    if (refusedLink) return setFailure(refusedLink);
    const byName = markRefusedFields(error, record);
    const hasMarkedFields = Object.keys(byName).length > 0;
    if (hasMarkedFields) setProblems(inPageOrder(byName));
    const refused = failureOf(error, record, part, hasMarkedFields);
    setFailure({ ...refused, messages: [...refused.messages, ...changed] });
  }

  async function readConflictOf(changed: SavedRecord) {
    const { readSaveConflict } = await import("@/components/forms/save-conflict");
    return readSaveConflict(record, changed, () => {
      form.clearErrors();
      setFailure(null);
    });
  }

  /**
   * Continues from the stored record if a save would overwrite no change. Another form may have saved the same values,
   * or this screen, whose response was lost. Returns the values to send; null if the user must choose.
   */
  async function adopt(changed: SavedRecord): Promise<Payload | null> {
    const stored = await readConflictOf(changed).catch(() => null);
    if (!stored || stored.found.length > 0) return null;
    flushSync(() => void stored.merge(() => false));
    return payloadToSend();
  }

  return {
    saving,
    problems,
    failure,
    conflict,
    submit,
    /** Shows the differences between the record that someone else has changed and the typed values. */
    async compare(changed: SavedRecord) {
      try {
        await conflict.open(readConflictOf(changed));
      } catch (error) {
        setFailure({ messages: messagesOf(error), changed });
      }
    },
    /** Continues with a removed record as a new one. */
    keepAsNew(removed: SavedRecord) {
      continueAsNew(record, removed);
      setFailure(null);
    },
    /** Saves another form, although the draft was saved elsewhere. */
    async saveSeparately() {
      isSeparate.current = true;
      await submit();
    },
    dismiss: () => setFailure(null),
  };
}

/**
 * Saves the client, then the form, then the client's verbal confirmation, and returns the stored form. Calls `onPart` with the
 * record that the next request is about.
 */
async function storeBoth(
  record: FormRecord,
  { assertOpenPeriod, saveClient, saveForm, confirmClient }: ReturnType<typeof useSaveRequests>,
  payload: Payload,
  onPart: (part: SavedRecord) => void,
): Promise<Form> {
  onPart("form");
  await assertOpenPeriod(payload);
  onPart("client");
  const { client } = await saveClient(payload);
  // The client exists from here on: another attempt updates it rather than creating a second one.
  record.form.setValue("clientId", client.id);
  keepClient(record, client);
  onPart("form");
  const { form } = await saveForm(client.id, payload);
  onPart("client");
  keepClient(record, await confirmClient(client, payload));
  return form;
}

/** Keeps a client as it is stored now, so that the next save does not conflict with it. */
function keepClient({ form, base, consents }: FormRecord, client: Client) {
  consents.current.set(client.id, client.verbalConfirmation);
  form.setValue("client.lockVersion", client.lockVersion);
  base.current = { ...base.current, client: clientValues(client) };
}

/**
 * Gives fields that were added since the screen opened their blank values, and removes choices that were removed. The values
 * of removed fields stay for the draft, and are not sent.
 */
function adoptFields({ form }: FormRecord) {
  const client = form.getValues("client.custom");
  const custom = form.getValues("form.custom");
  form.setValue("client.custom", { ...client, ...currentValues(clientSchema, client) });
  form.setValue("form.custom", { ...custom, ...currentValues(formSchema, custom) });
}

/** Focuses the first invalid field, once the fields are marked and enabled again. */
function useFocusOnInvalidField(problems: readonly Problem[], saving: boolean) {
  useEffect(() => {
    if (saving || problems.length === 0) return;
    const timer = setTimeout(() => {
      focusField(document.querySelector<HTMLElement>('#form-screen [aria-invalid="true"]'));
    });
    return () => clearTimeout(timer);
  }, [problems, saving]);
}
