import { type FieldErrors, get, set } from "react-hook-form";
import { z } from "zod";
import { biographical, type Client, clientSchema, demographic, otherEthnicityId } from "@/lib/clients/schema";
import type { Draft } from "@/lib/drafts/schema";
import { factsOf, fieldIn, isNested } from "@/lib/fields/facts";
import { today } from "@/lib/fields/format";
import { fieldErrors, problemsOnWire } from "@/lib/fields/problems";
import { id } from "@/lib/fields/validation";
import { isRecord, plainPath } from "@/lib/fields/wire";
import { clearForm, type Form, formSchema, missingEntries } from "@/lib/forms/schema";
import { noneCanineId } from "@/lib/forms/sections/canine";
import { INTAKE_SECTION_NAMES, INTAKE_SECTIONS, intake } from "@/lib/forms/sections/intake";
import { legal } from "@/lib/forms/sections/legal";
import { REASONS, serviceStatus } from "@/lib/forms/sections/service-status";
import { services } from "@/lib/forms/sections/services";
import type { FormType, FormTypeFlags, ServiceCode } from "@/lib/forms/types";
import type { FormLists } from "@/lib/lookups/schema";

type Values = Record<string, unknown>;

/** What the services table holds of a row; minutes that cannot be read are the text that was typed. */
export type RowValues = Values & { serviceCodeId: number; minutes: Minutes };
export type Minutes = number | string | null;

/** The minutes as a number, null for blank and for what cannot be read. */
export const readable = (minutes: Minutes | undefined): number | null =>
  typeof minutes === "number" ? minutes : null;

/**
 * The whole screen in one form. Every section's values are there, shown or not: what is sent is chosen at save.
 * Service rows stand under a key of their own (`tableRows`), so that filtering or another form type moves none.
 */
export type FormValues = {
  useExistingClient: boolean;
  clientId: number | null;
  client: Values & { name: string; lockVersion?: number };
  form: Values & {
    formTypeId: number | null;
    canineId: number | null;
    serviceStatus: string | null;
    verbalConfirmation: boolean;
    intakeForm: Values & { legalAdvocacyEntry: Values & { placeOfService: string | null } };
    serviceEntry: Values & { rows: Record<string, RowValues> };
  };
};

export type Rules = { lists: FormLists; codes: ReadonlyMap<number, ServiceCode>; rows: readonly Row[] };

/** A row of the services table: a code that is offered, or one that the form holds already. */
export type Row = { key: string; code: ServiceCode; offered: boolean };
type StoredRow = RowValues & { id: number; serviceCode: ServiceCode };

export const blankClient = (): FormValues["client"] => ({
  name: "",
  significantOther: false,
  relationshipToSurvivor: "",
  clientBiographicalEntry: biographical.defaults(),
  clientDemographicEntry: demographic.defaults(),
});

/** What unticking Continuing Client leaves (spec §4): a blank client and nobody chosen. */
export const noClient = (): Pick<FormValues, "client" | "clientId"> => ({
  client: blankClient(),
  clientId: null,
});

/** A loaded client as the screen's values; entries it does not have are blank. */
export function clientValues(client: Client): FormValues["client"] {
  const blank = blankClient();
  return {
    name: client.name,
    lockVersion: client.lockVersion,
    significantOther: client.significantOther,
    relationshipToSurvivor: client.relationshipToSurvivor,
    clientBiographicalEntry: client.clientBiographicalEntry ?? blank.clientBiographicalEntry,
    clientDemographicEntry: client.clientDemographicEntry ?? blank.clientDemographicEntry,
  };
}

/** The values that a new screen starts from (spec §2, §9). */
export const blankForm = (lists: FormLists): FormValues["form"] => ({
  formTypeId: null,
  serviceOn: today(),
  serviceStatus: null,
  verbalConfirmation: false,
  canineId: noneCanineId(lists.canines),
  intakeForm: {
    ...intake.defaults(),
    legalAdvocacyEntry: {
      ...legal.defaults(),
      pfaCourtEntry: legal.pfaCourtDefaults(),
      magisterialEntry: legal.magisterialDefaults(),
    },
  },
  serviceEntry: { otherService: "", otherServiceMinutes: 0, rows: {} },
  serviceStatusEntry: serviceStatus.defaults(),
});

/** `stored` over `blank`, nested objects too; an entry that is not stored keeps its blanks. */
function over(blank: Values, stored: Values): Values {
  const entries = Object.entries(stored).filter(([, value]) => value !== null && value !== undefined);
  return {
    ...blank,
    ...Object.fromEntries(
      entries.map(([key, value]) => [
        key,
        isRecord(value) && isRecord(blank[key]) ? over(blank[key], value) : value,
      ]),
    ),
  };
}

const storedRows = (form: Form): StoredRow[] =>
  (form.serviceEntry?.serviceProvidedEntries ?? []) as unknown as StoredRow[];

const offeredKey = (code: Pick<ServiceCode, "id">) => `c${code.id}`;
const storedKey = (row: StoredRow) => `s${row.id}`;

/** The code of the row at a key: one that was only typed into knows it by its key alone. */
const codeIdAt = (key: string, row: RowValues): number => row.serviceCodeId ?? Number(key.slice(1));

/** Client and form as they were stored when work on them began; blank what is new. */
export type Base = Pick<FormValues, "client" | "form">;

/** The form type that a screen opens with: the draft's, else the stored form's. */
export const openFormType = (draft: Draft | null, form: Form | null): number | null => {
  if (!draft) return form?.formTypeId ?? null;
  const kept = id().safeParse(get(draft.content, "form.formTypeId"));
  return kept.success ? kept.data : null;
};

/**
 * The screen's values with each service row under the key that it has in `stored`: a code that was new here may
 * be a stored row by now, and the other way round.
 */
export function rekeyed(values: FormValues["form"], stored: Form | null): FormValues["form"] {
  const rows = Object.entries(values.serviceEntry.rows).map(([key, row]): [string, RowValues] => {
    const { id: _, ...unstored } = row;
    const serviceCodeId = codeIdAt(key, row);
    const there = stored && storedRows(stored).find(({ serviceCode }) => serviceCode.id === serviceCodeId);
    if (!there) return [offeredKey({ id: serviceCodeId }), unstored as RowValues];
    return [storedKey(there), { ...unstored, serviceCodeId, id: there.id } as RowValues];
  });
  return { ...values, serviceEntry: { ...values.serviceEntry, rows: Object.fromEntries(rows) } };
}

const withoutIds = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key]) => key !== "id" && key !== "lockVersion")
          .map(([key, inner]) => [key, withoutIds(inner)]),
      )
    : value;

/** The values of a client that is gone, as a new one's. */
export const unstoredClient = (values: FormValues["client"]) => withoutIds(values) as FormValues["client"];

/** The values of a form that is gone, as a new one's. */
export const unstoredForm = (values: FormValues["form"]) =>
  withoutIds(rekeyed(values, null)) as FormValues["form"];

/** A loaded form as the screen's values. */
export function formValues(form: Form, lists: FormLists): FormValues["form"] {
  const { serviceProvidedEntries: _, ...entry } = form.serviceEntry ?? {};
  const rows = Object.fromEntries(
    storedRows(form).map((row) => {
      const serviceCodeId = row.serviceCode.id;
      return [
        storedKey(row),
        { ...over(services.rowDefaults(serviceCodeId), row), serviceCodeId } as RowValues,
      ];
    }),
  );
  const { user, client, formType, reconciled, userId, clientId, ...own } = form;
  const blank = blankForm(lists);
  return {
    ...over(blank, own),
    serviceEntry: { ...over(blank.serviceEntry, entry), rows },
  } as FormValues["form"];
}

/** The rows of the services table by code: the form's own, then each offered code that it has no row of. */
export function tableRows(form: Form | null, offered: readonly ServiceCode[]): Row[] {
  const stored = form ? storedRows(form) : [];
  const offeredIds = new Set(offered.map(({ id }) => id));
  const storedIds = new Set(stored.map(({ serviceCode }) => serviceCode.id));
  return [
    ...stored.map((row) => ({
      key: storedKey(row),
      code: row.serviceCode,
      offered: offeredIds.has(row.serviceCode.id),
    })),
    ...offered
      .filter(({ id }) => !storedIds.has(id))
      .map((code) => ({ key: offeredKey(code), code, offered: true })),
  ].sort((a, b) => a.code.code.localeCompare(b.code.code));
}

const NO_TYPE: FormTypeFlags = {
  intakeOnly: true,
  phone: true,
  serviceEntry: false,
  onCallAdvocacyEntry: false,
  phoneEntry: false,
  legalAdvocacyEntry: false,
  survivorEntry: false,
  clientBiographicalEntry: false,
  clientDemographicalEntry: false,
};

/** The flags of the chosen form type; until one is chosen, a form has no section and offers no canine. */
export const formTypeOf = (id: number | null, lists: FormLists): FormType | FormTypeFlags =>
  lists.formTypes.find((type) => type.id === id) ?? NO_TYPE;

/** Whether only codes that can be used before a magistrate count (spec §5): a legal form at Magisterial Court. */
export const isMagisterialMode = (
  type: FormTypeFlags,
  legalEntry: { placeOfService: string | null },
): boolean => legal.shows(type) && legal.isMagisterial(legalEntry);

/** Whether minutes were entered, also such that cannot be read: those must reach the schema. */
export const hasMinutes = (row: RowValues | undefined): row is RowValues => Boolean(row?.minutes);

/** The rows that are printed: those of minutes above zero (spec §2). */
export const spentRows = (values: FormValues, { rows }: Rules) =>
  rows.flatMap(({ key, code }) => {
    const row = values.form.serviceEntry.rows[key];
    const minutes = readable(row?.minutes);
    return row && services.isSpent(minutes) ? [{ key, code, row, minutes }] : [];
  });

/** What was typed into the table's rows that have no minutes: there is nowhere to store it. */
const unsentRows = (values: FormValues, { rows }: Rules): RowValues[] =>
  rows.flatMap(({ key, code }) => {
    const row = values.form.serviceEntry.rows[key];
    if (!row || hasMinutes(row)) return [];
    const blank = services.rowDefaults(code.id);
    const full = { ...over(blank, row), minutes: blank.minutes } as RowValues;
    return JSON.stringify(full) === JSON.stringify(blank) ? [] : [full];
  });

/** Minutes that were entered at codes which the form type does not offer, by the code's id. */
export const minutesLeftOut = (values: FormValues, { rows }: Rules): [serviceCodeId: number, Minutes][] => {
  const listed = new Set(rows.map(({ key }) => key));
  return Object.entries(values.form.serviceEntry.rows).flatMap(([key, row]): [number, Minutes][] =>
    hasMinutes(row) && !listed.has(key) ? [[codeIdAt(key, row), row.minutes]] : [],
  );
};

/** The rows that are sent, with their keys in the order in which they are sent. */
function sentRows(values: FormValues, type: FormTypeFlags, { rows, codes }: Rules): [string, Values][] {
  const magisterialMode = isMagisterialMode(type, values.form.intakeForm.legalAdvocacyEntry);
  return rows.flatMap(({ key, code }): [string, Values][] => {
    const row = values.form.serviceEntry.rows[key];
    if (!hasMinutes(row)) return [];
    const full = over(services.rowDefaults(code.id), row);
    const magisterial = magisterialMode && (codes.get(code.id)?.canBeMagistrate ?? false);
    const hotel = services.showsHotelShelter(code) ? full.hotelShelterEntry : null;
    const video = services.showsVideoconferencing(code, readable(row.minutes))
      ? full.videoconferencingEntry
      : null;
    return [[key, { ...full, magisterial, hotelShelterEntry: hotel, videoconferencingEntry: video }]];
  });
}

/** The part of the values that the form type carries, before it is checked. */
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
      verbalConfirmation: form.verbalConfirmation,
      ...(type.clientBiographicalEntry && { clientBiographicalEntry }),
      ...(type.clientDemographicalEntry && { clientDemographicEntry }),
    },
    form: {
      ...form,
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

const formPart = formSchema.omit({ clientId: true });
const schema = z.object({ client: clientSchema, form: formPart });

/** What a save sends, and the client whose it is; null for a new one. */
export type Payload = z.output<typeof schema> & { clientId: number | null };

/** Leaves out nested entries that are not there: a section that the type does not carry is never sent. */
function withoutAbsent<Part>(record: z.core.$ZodType, part: Part): Part {
  if (Array.isArray(part)) return part.map((row) => withoutAbsent(record, row)) as Part;
  if (!isRecord(part)) return part;
  const kept = Object.entries(part).flatMap(([key, value]) => {
    const field = fieldIn(record, key);
    if (field && isNested(factsOf(field)) && value === null) return [];
    return [[key, field ? withoutAbsent(field, value) : value]];
  });
  return Object.fromEntries(kept) as Part;
}

/** The screen's own path of a field as the server or a schema names it. */
export function screenPath(wirePath: string, values: FormValues, rules: Rules): string {
  const path = plainPath(wirePath);
  if (path === "form.clientId") return "clientId";
  if (path === "form.serviceStatusEntry") return `form.serviceStatusEntry.${REASONS[0]}`;
  const [, index, rest] = /^form\.serviceEntry\.serviceProvidedEntries\.(\d+)\.?(.*)$/.exec(path) ?? [];
  if (index === undefined) return path;
  const keys = sentRows(values, formTypeOf(values.form.formTypeId, rules.lists), rules).map(([key]) => key);
  // A complaint about the row or its code shows at its minutes, which every row has.
  return `form.serviceEntry.rows.${keys[Number(index)]}.${rest && rest !== "serviceCodeId" ? rest : "minutes"}`;
}

/** Checks the visible part: what to send, with all clearing rules applied, or each problem by its screen path. */
export function check(
  values: FormValues,
  rules: Rules,
): { payload: Payload } | { problems: Record<string, string> } {
  const part = visiblePart(values, rules);
  const parsed = schema.safeParse(part);
  const problems: Record<string, string> = {};
  if (values.useExistingClient && values.clientId === null) problems.clientId = "Choose a client";
  const found = parsed.success
    ? problemsOnWire(schema, missingEntries(parsed.data.form, parsed.data.form))
    : fieldErrors(schema, parsed.error);
  for (const [path, message] of Object.entries(found)) {
    const name = screenPath(path, values, rules);
    // Without a chosen client there is no name either; the choice is what is missing.
    if (name === "client.name" && "clientId" in problems) continue;
    problems[name] = message;
  }
  if (!parsed.success || Object.keys(problems).length > 0) return { problems };

  const { lists, codes } = rules;
  const { client, form } = parsed.data;
  const formType = formTypeOf(values.form.formTypeId, lists);
  const cleared = clearForm(
    { ...form, clientId: 0 },
    { formType, noneCanineId: noneCanineId(lists.canines), codes },
  );
  const { clientId: _, ...rest } = cleared;
  const entry = client.clientDemographicEntry;
  return {
    payload: withoutAbsent(schema, {
      clientId: values.clientId,
      client: {
        ...client,
        ...(entry && {
          clientDemographicEntry: demographic.clear(entry, otherEthnicityId(lists.ethnicities)),
        }),
      },
      form: rest as Payload["form"],
    }),
  };
}

/** Problems as react-hook-form keeps them. */
export function nestedErrors(problems: Record<string, string>): FieldErrors<FormValues> {
  const errors: FieldErrors<FormValues> = {};
  for (const [name, message] of Object.entries(problems)) set(errors, name, { type: "invalid", message });
  return errors;
}

/** What tells a changed screen from a saved one: what is visible and the choice of client. */
export const fingerprint = (values: FormValues, rules: Rules): string =>
  JSON.stringify([values.useExistingClient, visiblePart(values, rules), unsentRows(values, rules)]);

export const valueAt = (values: FormValues, path: string): unknown => get(values, path);
