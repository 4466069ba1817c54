import type { RefObject } from "react";
import { get } from "react-hook-form";
import type { Choices } from "@/components/record/choices";
import type { Client } from "@/lib/clients/api-schema";
import { biographical, clientSchema, demographic } from "@/lib/clients/schema";
import type { Contact } from "@/lib/contacts/record";
import { type Blank, blanksOf } from "@/lib/core/fields/shapes";
import { id } from "@/lib/core/fields/validation";
import { isRecord } from "@/lib/core/objects";
import { today } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import type { Draft } from "@/lib/forms/drafts/schema";
import { formSchema, withKeptParts } from "@/lib/forms/schema";
import { noneCanineId } from "@/lib/forms/sections/canine";
import { intake } from "@/lib/forms/sections/intake";
import { legal, type Place } from "@/lib/forms/sections/legal";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { services } from "@/lib/forms/sections/services";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import type { FormLists } from "@/lib/lookups/schema";
import { type FormType, type FormTypeFlags, NO_FLAGS } from "@/lib/lookups/types";

/** Minutes as typed. Unreadable text stays. */
export type Minutes = number | string | null;

type FullRow = ReturnType<typeof services.rowDefaults>;
/** A row of the services table: only the typed fields, or the whole stored row. */
export type RowValues = Partial<Omit<FullRow, "minutes">> & { id?: number; minutes?: Minutes };

type ClientFields = Omit<Blank<typeof clientSchema.shape>, "verbalConfirmation">;
type FormFields = Blank<typeof formSchema.shape>;
type ServiceFields = FormFields["serviceEntry"];

/**
 * The values of the whole screen. They include every section, visible or not; a save chooses which to send. Service
 * rows have stable keys (components/forms/rows.ts), so that filtering or another form type moves none.
 */
export type FormValues = {
  useExistingClient: boolean;
  clientId: number | null;
  /** The contact from which the form was started; a save links it to the form. */
  contactId: number | null;
  client: ClientFields & { lockVersion?: number };
  form: Omit<FormFields, "clientId" | "serviceEntry"> & {
    lockVersion?: number;
    serviceEntry: Omit<ServiceFields, "serviceProvidedEntries"> & { rows: Record<string, RowValues> };
  };
};

/** A row of the services table: an offered code, or a code that the form already uses. */
export type Row = { key: string; code: ServiceCode; offered: boolean };
export type Rules = {
  lists: FormLists;
  choices: Choices;
  codes: ReadonlyMap<number, ServiceCode>;
  rows: readonly Row[];
  /** The form as it is stored; missing for a new one. */
  saved?: Form | null;
  /** Client and form as the user began to change them. */
  base?: RefObject<Base>;
};

export const blankClient = (): FormValues["client"] => ({
  name: "",
  significantOther: false,
  relationshipToSurvivor: "",
  custom: blanksOf(clientSchema).custom,
  clientBiographicalEntry: blanksOf(biographical.schema),
  clientDemographicEntry: blanksOf(demographic.schema),
});

/** Returns the values after unchecking Continuing Client: a blank client and no chosen one. */
export const noClient = (): Pick<FormValues, "client" | "clientId"> => ({
  client: blankClient(),
  clientId: null,
});

/** Returns a loaded client as values of the screen; missing entries are blank. */
export function clientValues(client: Client): FormValues["client"] {
  const blank = blankClient();
  return {
    name: client.name,
    lockVersion: client.lockVersion,
    significantOther: client.significantOther,
    relationshipToSurvivor: client.relationshipToSurvivor,
    custom: { ...blank.custom, ...client.custom },
    clientBiographicalEntry: client.clientBiographicalEntry ?? blank.clientBiographicalEntry,
    clientDemographicEntry: client.clientDemographicEntry ?? blank.clientDemographicEntry,
  };
}

/** The contact that a new form is started from. */
export type StartContact = Pick<Contact, "id" | "contactedOn" | "minutes" | "referralSourceId">;

/**
 * Returns the initial values of a new form, with what a contact says about it. The contact's minutes have no service code,
 * so they are Other Service until the user assigns them.
 */
export const blankForm = (
  lists: FormLists,
  formTypeId: number | null = null,
  contact: StartContact | null = null,
  serviceOn: string | null = null,
): FormValues["form"] => ({
  formTypeId,
  serviceOn: contact?.contactedOn ?? serviceOn ?? today(),
  serviceStatus: null,
  verbalConfirmation: false,
  canineId: noneCanineId(lists.canines),
  custom: blanksOf(formSchema).custom,
  intakeForm: { ...blanksOf(intake.schema), referralSourceId: contact?.referralSourceId ?? null },
  serviceEntry: { otherService: "", otherServiceMinutes: contact?.minutes ?? 0, rows: {} },
  serviceStatusEntry: blanksOf(serviceStatus.schema),
});

/**
 * Returns `blank` overwritten with the stored values, including nested objects. Values that are not stored stay blank.
 */
export function withStored<Values extends object>(blank: Values, stored: object): Values {
  const before = new Map<string, unknown>(Object.entries(blank));
  const given = Object.entries(stored).filter(([, value]) => value !== null && value !== undefined);
  const merged = given.map(([key, value]) => {
    const inner = before.get(key);
    return [key, isRecord(value) && isRecord(inner) ? withStored(inner, value) : value];
  });
  return { ...blank, ...Object.fromEntries(merged) };
}

/** Returns `stored` with those of the typed values that differ from `before`, including nested objects. */
export function withTyped<Values extends object>(stored: Values, typed: object, before: object): Values {
  const [now, was] = [stored, before].map((values) => new Map<string, unknown>(Object.entries(values)));
  const changed = Object.entries(typed).flatMap(([key, value]) => {
    const inner = now?.get(key);
    const old = was?.get(key);
    if (isRecord(value) && isRecord(inner) && isRecord(old)) return [[key, withTyped(inner, value, old)]];
    return JSON.stringify(value) === JSON.stringify(old) ? [] : [[key, value]];
  });
  return { ...stored, ...Object.fromEntries(changed) };
}

type StoredRow = NonNullable<Form["serviceEntry"]>["serviceProvidedEntries"][number];
export const storedRows = (form: Form | null): StoredRow[] =>
  form?.serviceEntry?.serviceProvidedEntries ?? [];

export const offeredKey = (codeId: number) => `c${codeId}`;
export const storedKey = (row: { id: number }) => `s${row.id}`;

/** Returns the code of a row. A new row has it only in its key. */
export const codeIdAt = (key: string, row: RowValues): number => row.serviceCodeId ?? Number(key.slice(1));

/** Client and form as stored when the user began; blank if new. */
export type Base = Pick<FormValues, "client" | "form">;

/** Returns the initial form type: the draft's, else the stored form's, else the one chosen for a new form. */
export const openFormType = (
  draft: Draft | null,
  form: Form | null,
  chosen: number | null = null,
): number | null => {
  if (!draft) return form?.formTypeId ?? chosen;
  const kept = id().safeParse(get(draft.content, "form.formTypeId"));
  return kept.success ? kept.data : null;
};

/** Moves each service row to the key that it has in `stored`. Rows may have been stored or removed in the meantime. */
export function rekeyed(values: FormValues["form"], stored: Form | null): FormValues["form"] {
  const rows = Object.entries(values.serviceEntry.rows).map(([key, row]): [string, RowValues] => {
    const { id: _, ...unstored } = row;
    const serviceCodeId = codeIdAt(key, row);
    const there = storedRows(stored).find(({ serviceCode }) => serviceCode.id === serviceCodeId);
    if (!there) return [offeredKey(serviceCodeId), unstored];
    return [storedKey(there), { ...unstored, serviceCodeId, id: there.id }];
  });
  return { ...values, serviceEntry: { ...values.serviceEntry, rows: Object.fromEntries(rows) } };
}

/** Removes ids and versions, which link values to stored records. */
function unstored<Values extends object>(values: Values): Values {
  const kept = Object.entries(values).filter(([key]) => key !== "id" && key !== "lockVersion");
  const inner = kept.map(([key, value]) => [key, isRecord(value) ? unstored(value) : value]);
  return Object.fromEntries(inner);
}

/** Returns the values of a removed client as those of a new one. */
export const unstoredClient = (values: FormValues["client"]): FormValues["client"] => unstored(values);

/** Returns the values of a removed form as those of a new one. */
export const unstoredForm = (values: FormValues["form"]): FormValues["form"] =>
  unstored(rekeyed(values, null));

/** Returns a loaded form as values of the screen. */
export function formValues(form: Form, lists: FormLists): FormValues["form"] {
  const { serviceProvidedEntries: _, ...entry } = form.serviceEntry ?? {};
  const rows = storedRows(form).map((row): [string, RowValues] => [
    storedKey(row),
    {
      ...withStored(services.rowDefaults(row.serviceCode.id), row),
      id: row.id,
      serviceCodeId: row.serviceCode.id,
    },
  ]);
  const { user, client, formType, userId, clientId, serviceEntry, ...stored } = form;
  const { reconciled, reconciledBy, reconciledAt, returned, ...typed } = stored;
  const blank = blankForm(lists);
  return {
    ...withStored(blank, typed),
    serviceEntry: { ...withStored(blank.serviceEntry, entry), rows: Object.fromEntries(rows) },
  };
}

/** Returns the lists for the screen of a stored form, whose type has the parts that the form keeps. */
export const listsOf = (form: Form, lists: FormLists): FormLists => ({
  ...lists,
  formTypes: lists.formTypes.map((type) =>
    type.id === form.formTypeId ? withKeptParts(type, form, noneCanineId(lists.canines)) : type,
  ),
});

const NO_TYPE: FormTypeFlags = { ...NO_FLAGS, intakeOnly: true, phone: true };

/** Returns the flags of the chosen form type. Before one is chosen, a form has no section and offers no canine. */
export const formTypeOf = (id: number | null, lists: FormLists): FormType | FormTypeFlags =>
  lists.formTypes.find((type) => type.id === id) ?? NO_TYPE;

/** True for a legal form at Magisterial Court, where only codes with Can be Magistrate count. */
export const isMagisterialMode = (type: FormTypeFlags, legalEntry: Place): boolean =>
  legal.shows(type) && legal.isMagisterial(legalEntry);
