import type { FieldPath } from "react-hook-form";
import { screenPath } from "@/components/forms/check";
import type { Failure, SavedRecord } from "@/components/forms/failure-alert";
import type { FormRecord } from "@/components/forms/use-form-record";
import { type FormValues, unstoredClient, unstoredForm } from "@/components/forms/values";
import { ApiError, isCode, messagesOf } from "@/lib/core/api/client";

const TRY_AGAIN = "Nothing you typed is lost. Please try again.";

const REMOVED: Record<SavedRecord, string> = {
  client: "This client is no longer available. Nothing you typed is lost. You can save it as a new client.",
  form: "This form is no longer available, or you can no longer change it. Nothing you typed is lost. You can save it as a new form.",
};

const WITHOUT_CONTACT =
  "The form can be saved without being linked to it. Nothing you typed is lost: choose Save again.";

/**
 * Unlinks the contact that the form was started from if the server refused the link. Returns what to report; null if
 * something else was refused.
 */
export function unlinkRefusedContact(error: unknown, { form }: FormRecord): Failure | null {
  const problem = error instanceof ApiError ? error.fields["form.contactId"] : undefined;
  if (!problem) return null;
  form.setValue("contactId", null);
  return { messages: [`${problem}. ${WITHOUT_CONTACT}`] };
}

/** Refuses a save before the service codes are loaded: minutes entered for them would be left out. */
export const codesMissing = (failure: readonly string[]): Failure => ({
  messages: ["The service codes could not be loaded.", ...failure],
});

/** Asks before a new form is saved whose draft may already be a form. */
export const SAVED_ELSEWHERE: Failure = {
  messages: [
    "This draft was already saved, changed, or discarded on another page or device. Look for the form in the list first: saving here would add the form, and a new client, once more.",
  ],
  isElsewhere: true,
};

/** True if the record existed before, so that someone else can have saved (409) or removed (404) it. */
const wasStored = ({ form, saved }: FormRecord, part: SavedRecord): boolean =>
  (part === "client" ? form.getValues("clientId") : saved) !== null;

/** True for 409 because of a field that was removed. */
const namesFields = (error: unknown) => error instanceof ApiError && Object.keys(error.fields).length > 0;

/** True if someone else has saved the record since this screen read it. */
export const isOutdated = (error: unknown, record: FormRecord, part: SavedRecord): boolean =>
  isCode(error, "conflict_version") && !namesFields(error) && wasStored(record, part);

/** Marks the fields that the server refused. Returns their messages by the field's path on the screen. */
export function markRefusedFields(error: unknown, { form, latestRules }: FormRecord): Record<string, string> {
  const fields = error instanceof ApiError && error.status !== 409 ? error.fields : {};
  const byName = Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [
      screenPath(path, form.getValues(), latestRules.current),
      message,
    ]),
  );
  for (const [name, message] of Object.entries(byName))
    form.setError(name as FieldPath<FormValues>, { type: "server", message });
  return byName;
}

/** Returns the messages for a refused save. The error summary lists marked fields, each with its link. */
export function failureOf(
  error: unknown,
  record: FormRecord,
  part: SavedRecord,
  hasMarkedFields: boolean,
): Failure {
  if (isCode(error, "not_found") && wasStored(record, part))
    return { messages: [REMOVED[part]], removed: part };
  return {
    messages: hasMarkedFields ? [] : messagesWithAdvice(error),
    changed: isOutdated(error, record, part) ? part : undefined,
  };
}

function messagesWithAdvice(error: unknown): string[] {
  const isPassing = isCode(error, "too_many") || (error instanceof ApiError && error.status >= 500);
  if (isPassing) return [...messagesOf(error), TRY_AGAIN];
  if (isCode(error, "forbidden")) return [...messagesOf(error), "Nothing you typed is lost."];
  return messagesOf(error);
}

/** Turns the values of a removed record into those of a new one. */
export function continueAsNew({ form, setSaved }: FormRecord, removed: SavedRecord): void {
  if (removed === "form") {
    form.setValue("form", unstoredForm(form.getValues("form")));
    setSaved(null);
    return;
  }
  form.setValue("client", unstoredClient(form.getValues("client")));
  form.setValue("clientId", null);
  form.setValue("useExistingClient", false);
}
