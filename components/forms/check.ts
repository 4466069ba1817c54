import { type FieldErrors, set } from "react-hook-form";
import * as z from "zod/mini";
import { sentCustom } from "@/components/forms/custom";
import { sentRows, unsentRows } from "@/components/forms/rows";
import { SERVICE_STATUS } from "@/components/forms/sections/service-status";
import { type FormValues, formTypeOf, type Rules } from "@/components/forms/values";
import { missingCustomOfClient } from "@/lib/clients/custom";
import {
  clientSchema,
  demographic,
  missingClientFields,
  otherEthnicityId,
  unfitClientTexts,
} from "@/lib/clients/schema";
import { factsOf, fieldIn, isHidden, isNested } from "@/lib/core/fields/facts";
import { fieldErrors, problemsOnWire } from "@/lib/core/fields/problems";
import { plainPath } from "@/lib/core/fields/wire-names";
import { isRecord } from "@/lib/core/objects";
import { today } from "@/lib/core/text/format";
import { asksCustom, missingCustomOfForm } from "@/lib/forms/custom";
import { clearForm, formSchema, missingEntries, missingFields, refusedCodes } from "@/lib/forms/schema";
import { noneCanineId } from "@/lib/forms/sections/canine";
import { INTAKE_SECTION_NAMES, INTAKE_SECTIONS } from "@/lib/forms/sections/intake";
import { legal } from "@/lib/forms/sections/legal";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { services } from "@/lib/forms/sections/services";

// Converts the values on the screen into the requests of a save.

/** The part of the values that the form type has, before validation. */
export function visiblePart(values: FormValues, rules: Rules) {
  const type = formTypeOf(values.form.formTypeId, rules.lists);
  const { serviceEntry, serviceStatusEntry, intakeForm, ...form } = values.form;
  const { clientBiographicalEntry, clientDemographicEntry, ...client } = values.client;
  const { rows: _, ...entry } = serviceEntry;
  const hiddenIntake = INTAKE_SECTION_NAMES.filter((name) => !INTAKE_SECTIONS[name].shows(type));
  return {
    clientId: values.clientId,
    client: {
      ...client,
      ...clientConsent(values, rules),
      custom: sentCustom("client", client.custom, type, form.serviceStatus),
      ...(type.clientBiographicalEntry && { clientBiographicalEntry }),
      ...(type.clientDemographicalEntry && { clientDemographicEntry }),
    },
    form: {
      ...form,
      custom: sentCustom("form", form.custom, type, form.serviceStatus),
      intakeForm: {
        ...intakeForm,
        legalAdvocacyEntry: legal.clear(intakeForm.legalAdvocacyEntry),
        ...Object.fromEntries(hiddenIntake.map((name) => [name, null])),
      },
      serviceEntry: services.shows(type)
        ? { ...entry, serviceProvidedEntries: sentRows(values, type, rules).map(([, row]) => row) }
        : null,
      serviceStatusEntry: serviceStatus.shows(form.serviceStatus) ? serviceStatusEntry : null,
    },
  };
}

/**
 * Returns the client's verbal confirmation to send. A save that turns the form's box from No to Yes sets it to Yes. Any
 * other save leaves it, because it may have been given or taken back since. A new client has that of the form.
 */
function clientConsent({ clientId, form }: FormValues, { saved }: Rules) {
  if (clientId === null) return { verbalConfirmation: form.verbalConfirmation };
  return form.verbalConfirmation && !saved?.verbalConfirmation ? { verbalConfirmation: true } : {};
}

/** A save sends two requests. The id of the form's client is known only after the first. */
const schema = z.object({ client: clientSchema, form: z.omit(formSchema, { clientId: true }) });

/** The values that a save sends, and the id of the client; null for a new client. */
export type Payload = z.output<typeof schema> & { clientId: number | null };

/** Returns the values without nested entries that `isLeftOut` selects. */
function withoutEntries<Part>(
  record: z.core.$ZodType,
  part: Part,
  isLeftOut: (entry: z.core.$ZodType, value: unknown) => boolean,
): Part {
  if (Array.isArray(part)) return part.map((row) => withoutEntries(record, row, isLeftOut)) as Part;
  if (!isRecord(part)) return part;
  const entries = Object.entries(part).flatMap(([key, value]) => {
    const field = fieldIn(record, key);
    if (!field) return [[key, value]];
    if (isNested(factsOf(field)) && isLeftOut(field, value)) return [];
    return [[key, withoutEntries(field, value, isLeftOut)]];
  });
  return Object.fromEntries(entries);
}

/**
 * True for an entry that the organization hides and that cannot be completed: it keeps its stored values. One that was
 * complete before it was hidden is sent, so that nothing typed is lost.
 */
const isHiddenEntry = (entry: z.core.$ZodType, value: unknown): boolean =>
  isHidden(entry) && !z.safeParse(entry, value).success;

/** True for an absent entry, because a section outside the form type must not be sent. */
const isAbsent = (_: z.core.$ZodType, value: unknown): boolean => value === null;

/** Returns the screen's path of a field named by the server or a schema. */
export function screenPath(wirePath: string, values: FormValues, rules: Rules): string {
  const path = plainPath(wirePath);
  if (path === "form.clientId") return "clientId";
  if (path === "form.serviceStatusEntry") return `form.serviceStatusEntry.${SERVICE_STATUS.errorAt}`;
  const [, index, rest] = /^form\.serviceEntry\.serviceProvidedEntries\.(\d+)\.?(.*)$/.exec(path) ?? [];
  if (index === undefined) return path;
  const keys = sentRows(values, formTypeOf(values.form.formTypeId, rules.lists), rules).map(([key]) => key);
  // Problems of a row or its code are shown at its minutes, which every row has.
  return `form.serviceEntry.rows.${keys[Number(index)]}.${rest && rest !== "serviceCodeId" ? rest : "minutes"}`;
}

/**
 * Validates the visible part. Returns the values to send, with all clearing rules applied, or the problems by their
 * path on the screen.
 */
export function check(
  values: FormValues,
  rules: Rules,
): { payload: Payload } | { problems: Record<string, string> } {
  const part = withoutEntries(schema, visiblePart(values, rules), isHiddenEntry);
  const parsed = schema.safeParse(part);
  const problems: Record<string, string> = {};
  if (values.useExistingClient && values.clientId === null) problems.clientId = "Choose a client";
  const payload = parsed.success ? cleared(parsed.data, values, rules) : null;
  const found = {
    ...problemsOnWire(schema, unfitClientTexts(part.client, [rules.base?.current.client])),
    ...(parsed.success
      ? problemsOnWire(schema, {
          ...missingEntries(parsed.data.form, parsed.data.form),
          ...(payload && refusedIn(payload, values, rules)),
        })
      : fieldErrors(schema, parsed.error)),
  };
  for (const [path, message] of Object.entries(found)) {
    const name = screenPath(path, values, rules);
    // Without a chosen client the name is missing too, but the error to show is the missing choice.
    if (name === "client.name" && "clientId" in problems) continue;
    problems[name] = message;
  }
  if (!payload || Object.keys(problems).length > 0) return { problems };
  return { payload: withoutEntries(schema, payload, isAbsent) };
}

/** Applies all clearing rules. */
function cleared({ client, form }: z.output<typeof schema>, values: FormValues, rules: Rules): Payload {
  const { lists, codes } = rules;
  const formType = formTypeOf(values.form.formTypeId, lists);
  const entry = client.clientDemographicEntry;
  return {
    clientId: values.clientId,
    client: {
      ...client,
      ...(entry && {
        clientDemographicEntry: demographic.clear(entry, otherEthnicityId(lists.ethnicities)),
      }),
    },
    form: clearForm(form, { formType, noneCanineId: noneCanineId(lists.canines), codes }),
  };
}

/**
 * Returns the problems that the schemas do not find, by their path on the wire: what the organization requires and is missing, and
 * service codes that the form may not have. Only the server knows if a stored client already lacked a value.
 */
function refusedIn({ client, form }: Payload, { clientId, form: { formTypeId } }: FormValues, rules: Rules) {
  const { lists, codes, saved } = rules;
  const offeredIds = new Set(rules.rows.flatMap(({ code, offered }) => (offered ? [code.id] : [])));
  const formType = formTypeOf(formTypeId, lists);
  const otherEthnicity = otherEthnicityId(lists.ethnicities);
  return {
    ...(clientId === null && missingClientFields(client, { day: today(), otherEthnicity })),
    ...(clientId === null && missingCustomOfClient(null, client)),
    ...missingFields(form, { formType, codes }),
    ...refusedCodes(form.serviceEntry?.serviceProvidedEntries ?? [], formTypeId, saved ?? null, (id) =>
      offeredIds.has(id),
    ),
    ...missingCustomOfForm(form, (field) => asksCustom(field, formType, form.serviceStatus)),
  };
}

/** Returns the problems in the shape that react-hook-form uses. */
export function nestedErrors(problems: Record<string, string>): FieldErrors<FormValues> {
  const errors: FieldErrors<FormValues> = {};
  for (const [name, message] of Object.entries(problems)) set(errors, name, { type: "invalid", message });
  return errors;
}

/** Returns a string that differs if the visible values or the chosen client differ; used to detect unsaved changes. */
export const fingerprint = (values: FormValues, rules: Rules): string =>
  JSON.stringify([values.useExistingClient, visiblePart(values, rules), unsentRows(values, rules)]);
