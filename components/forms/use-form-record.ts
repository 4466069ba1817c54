"use client";

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Resolver, useForm } from "react-hook-form";
import { check, fingerprint, nestedErrors, type Payload } from "@/components/forms/check";
import type { draftValues } from "@/components/forms/draft-values";
import { tableRows } from "@/components/forms/rows";
import { useServiceCodes } from "@/components/forms/use-service-codes";
import {
  type Base,
  blankClient,
  blankForm,
  clientValues,
  type FormValues,
  formValues,
  openFormType,
  type Rules,
  type StartContact,
} from "@/components/forms/values";
import { choicesOf } from "@/components/record/choices";
import { useDraft } from "@/components/record/use-draft";
import type { Client } from "@/lib/clients/api-schema";
import { randomKey } from "@/lib/core/api/creation";
import type { Form } from "@/lib/forms/api-schema";
import type { Draft } from "@/lib/forms/drafts/schema";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import type { FormLists } from "@/lib/lookups/schema";

export type FormRecordProps = {
  /** The signed-in user. */
  userId: number;
  lists: FormLists;
  /** The record being edited; read-only if its client was purged; null for a new form. */
  stored: { form: Form; client: Client; clientPurged?: boolean } | null;
  /** The client of a new form, if it was chosen before the screen opened. */
  client?: Client | null;
  /** The type of a new form, if it was chosen before the screen opened. */
  formTypeId?: number | null;
  /** The day of service of a new form, if it was chosen before the screen opened. */
  serviceOn?: string | null;
  /** The contact that a new form is started from. */
  contact?: StartContact | null;
  /** The codes of the initial form type. */
  serviceCodes: ServiceCode[];
  /** Ids of the codes that the user used last, newest first. */
  recentCodes: readonly number[];
  /** The draft to continue. */
  draft: Draft | null;
  /** Reads the draft; required with one. */
  readDraft?: typeof draftValues;
};

export type FormRecord = ReturnType<typeof useFormRecord>;

/** Each edit has its own draft, so that starting again does not replace the draft of an earlier edit. */
const newDraftKey = (form: Form | null) => `${form ? `form-${form.id}` : "new"}-${randomKey()}`;

/** Returns the form as last saved here, with the review that the page has read since. Reconcile reloads the page. */
function reviewedAs(held: Form | null, read: Form | undefined): Form | null {
  if (!held || !read || read.id !== held.id || read.lockVersion < held.lockVersion) return held;
  const { reconciled, reconciledBy, reconciledAt } = read;
  return { ...held, reconciled, reconciledBy, reconciledAt };
}

const withType = (values: FormValues, formTypeId: number | null): FormValues => ({
  ...values,
  form: { ...values.form, formTypeId },
});

/** Returns the state of the form screen: values, rules, initial values, and the draft. */
export function useFormRecord({
  userId,
  lists,
  stored,
  client = null,
  formTypeId = null,
  serviceOn = null,
  contact = null,
  serviceCodes,
  recentCodes,
  draft,
  readDraft,
}: FormRecordProps) {
  const [held, setSaved] = useState(stored?.form ?? null);
  const read = stored?.form;
  const saved = useMemo(() => reviewedAs(held, read), [held, read]);
  const codes = useServiceCodes(openFormType(draft, stored?.form ?? null, formTypeId), serviceCodes);
  const opened = stored?.client ?? client;
  const [initial] = useState<FormValues>(() => ({
    useExistingClient: client !== null,
    clientId: opened?.id ?? null,
    contactId: contact?.id ?? null,
    client: opened ? clientValues(opened) : blankClient(),
    form: stored ? formValues(stored.form, lists) : blankForm(lists, formTypeId, contact, serviceOn),
  }));
  const [continued] = useState(() => {
    if (!draft) return null;
    if (!readDraft) throw new Error("A form that continues a draft needs readDraft");
    return readDraft(draft, initial, stored?.form ?? null);
  });
  /** The version that the user started from. A conflict is compared with it. */
  const base = useRef<Base>(continued?.base ?? { client: initial.client, form: initial.form });
  const rules = useMemo<Rules>(() => {
    const rows = tableRows(saved, codes.offered, recentCodes);
    const choices = choicesOf(lists);
    return { lists, choices, rows, codes: new Map(rows.map(({ code }) => [code.id, code])), saved, base };
  }, [lists, saved, codes.offered, recentCodes]);
  /** The verbal confirmations of the clients that this screen has read, by id. */
  const consents = useRef(new Map<number, boolean>());
  if (opened && !consents.current.has(opened.id)) consents.current.set(opened.id, opened.verbalConfirmation);
  const latestRules = useRef(rules);
  latestRules.current = rules;

  const [resolver] = useState((): Resolver<FormValues, unknown, Payload> => {
    return (values) => {
      const checked = check(values, latestRules.current);
      return "payload" in checked
        ? { values: checked.payload, errors: {} }
        : { values: {}, errors: nestedErrors(checked.problems) };
    };
  });
  const form = useForm<FormValues, unknown, Payload>({
    mode: "onBlur",
    resolver,
    // The screen itself focuses the first invalid field in page order, not in registration order.
    shouldFocusError: false,
    defaultValues: continued?.values ?? initial,
  });

  const [baseline, setBaseline] = useState(() => fingerprint(initial, rules));
  /** True if the values differ from those last saved or loaded. Of a new form, a type alone is nothing to keep. */
  const isUnsaved = useCallback(
    (values: FormValues, rules: Rules): boolean => {
      const text = fingerprint(values, rules);
      if (text === baseline) return false;
      return saved !== null || text !== fingerprint(withType(initial, values.form.formTypeId), rules);
    },
    [baseline, initial, saved],
  );
  const { schedule, ...draftControls } = useDraft({
    userId,
    draft,
    newKey: () => newDraftKey(saved),
    formId: saved?.id ?? null,
    getValues: () => ({ ...form.getValues(), base: base.current }),
    isDirty: () => isUnsaved(form.getValues(), latestRules.current),
  });
  useEffect(() => form.subscribe({ formState: { values: true }, callback: schedule }), [form, schedule]);

  return {
    form,
    codes,
    rules,
    /** The current rules, for code that runs after the render that created it. */
    latestRules,
    saved,
    setSaved,
    base,
    consents,
    isUnsaved,
    /** Marks the current values as saved. */
    markSaved: () => setBaseline(fingerprint(form.getValues(), latestRules.current)),
    draft: { unopened: continued?.unopened ?? [], ...draftControls },
  };
}
