import { get, set } from "react-hook-form";
import { expect, test } from "vitest";
import { BIOGRAPHICAL, DEMOGRAPHIC } from "@/components/clients/sections";
import { check, type Payload } from "@/components/forms/check";
import { factsAt } from "@/components/forms/fields";
import { spentRows, tableRows } from "@/components/forms/rows";
import { DETAILS, SECTIONS } from "@/components/forms/sections";
import { LEGAL } from "@/components/forms/sections/legal";
import { ON_CALL } from "@/components/forms/sections/on-call";
import { PHONE } from "@/components/forms/sections/phone";
import { SERVICE_STATUS } from "@/components/forms/sections/service-status";
import { HOTEL_SHELTER, VIDEOCONFERENCING } from "@/components/forms/sections/services";
import { SURVIVOR } from "@/components/forms/sections/survivor";
import {
  blankClient,
  blankForm,
  type FormValues,
  formTypeOf,
  isMagisterialMode,
  noClient,
  type Rules,
} from "@/components/forms/values";
import { choicesOf, optionsOf } from "@/components/record/choices";
import { readSection } from "@/components/record/reading";
import type { SectionSpec } from "@/components/record/section";
import { ageBracketAt } from "@/lib/clients/schema";
import { masks, parseMinutes, today } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import { recordsNoTime } from "@/lib/forms/schema";
import { canine } from "@/lib/forms/sections/canine";
import { intake } from "@/lib/forms/sections/intake";
import { LEGAL_PLACES } from "@/lib/forms/sections/legal";
import { services } from "@/lib/forms/sections/services";
import type { ServiceStatusName } from "@/lib/forms/words";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import { formListKeys } from "@/lib/lookups/resources/schema";
import { type FormType, NO_FLAGS } from "@/lib/lookups/types";
import { ageBrackets, formTypes } from "@/prisma/seed-data";
import { formListsOf } from "@/tests/form-lists";

// Every rule of the form and client screens: its name, the sentence that defines it, and a check of the screen's
// fields, errors or requests. tests/sections.test.ts covers the edge cases of the modules.

const list = (...names: string[]) => names.map((name, index) => ({ id: index + 1, name }));

const lists = formListsOf({
  ageBrackets: [{ id: 1, name: "0–17", rangeStart: 0 }],
  canines: list("None", "Rex"),
  custodyStatuses: list("Shared"),
  educationLevels: [{ id: 1, name: "College", sortOrder: 1 }],
  ethnicities: list("Asian", "Other"),
  hateCrimeCategories: list("Race"),
  incomeLevels: [{ id: 1, name: "None", rangeStart: 0 }],
  magisterialCourtOutcomes: list("Held"),
  offenderRelationships: list("Spouse"),
  pfaCourtContactTypes: list("Hearing"),
  secondaryVictimizations: list("Arson", "Stalking"),
  referralSources: [{ id: 1, code: "POLICE", description: "**Law enforcement**" }],
  formTypes: formTypes.map((type, index): FormType => ({ ...NO_FLAGS, ...type, id: index + 1 })),
});

const code = (id: number, flags: Partial<ServiceCode> = {}): ServiceCode => ({
  id,
  code: `CODE-${id}`,
  description: "",
  hotelShelter: false,
  videoconferencing: false,
  canBeMagistrate: false,
  onCallMainType: false,
  hasReferral: false,
  ...flags,
});
const PLAIN = code(1);
const HOTEL = code(2, { hotelShelter: true });
const VIDEO = code(3, { videoconferencing: true });
const COURT = code(4, { canBeMagistrate: true });
const rows = tableRows(null, [PLAIN, HOTEL, VIDEO, COURT]);
const choices = choicesOf(lists);
const rules: Rules = { lists, choices, rows, codes: new Map(rows.map((row) => [row.code.id, row.code])) };

test("every list of the form screen is available under its table's name, which fields refer to", () => {
  expect(Object.keys(choices).sort()).toEqual([...formListKeys, "form_types"].sort());
});

type Type = "Phone" | "On-Call Advocacy" | "Legal Advocacy" | "Survivor" | "Service";
const typeOf = (name: Type) => lists.formTypes.find((type) => type.name === name) as FormType;

const INTAKE = "form.intakeForm";
const phoneEntry = `${INTAKE}.phoneEntry`;
const legalEntry = `${INTAKE}.legalAdvocacyEntry`;
const survivorEntry = `${INTAKE}.survivorEntry`;
const minutesAt = (id: number, minutes: number | string | null, more: object = {}) => ({
  [`form.serviceEntry.rows.c${id}`]: { ...services.rowDefaults(id), minutes, ...more },
});

/** Returns a new screen of the type, with all required fields filled in and then the changes, by path. */
function screen(type: Type | null, changes: Record<string, unknown> = {}): FormValues {
  const values: FormValues = {
    useExistingClient: false,
    contactId: null,
    clientId: null,
    client: { ...blankClient(), name: "Ada Moss" },
    form: { ...blankForm(lists), formTypeId: type && typeOf(type).id, serviceStatus: "Served" },
  };
  set(values, `${legalEntry}.placeOfService`, "PF");
  set(values, `${INTAKE}.onCallAdvocacyEntry.placeOfService`, "Hotel");
  set(values, `${survivorEntry}.offenderRelationshipId`, 1);
  for (const [path, value] of Object.entries(changes)) set(values, path, value);
  return values;
}

function payloadOf(type: Type, changes?: Record<string, unknown>): Payload {
  const checked = check(screen(type, changes), rules);
  if (!("payload" in checked)) throw new Error(JSON.stringify(checked.problems));
  return checked.payload;
}

function problemsOf(type: Type | null, changes?: Record<string, unknown>): Record<string, string> {
  const checked = check(screen(type, changes), rules);
  return "problems" in checked ? checked.problems : {};
}

const refusedFields = (type: Type | null, changes?: Record<string, unknown>): string[] =>
  Object.keys(problemsOf(type, changes));

const fieldsOf = (spec: SectionSpec) => spec.groups.flatMap(({ fields }) => fields);
const requiredLabels = (spec: SectionSpec) =>
  fieldsOf(spec).flatMap(({ facts }) => (facts.required && facts.kind !== "flag" ? [facts.label] : []));
const offeredLabels = (spec: SectionSpec, name: string) => {
  const field = fieldsOf(spec).find((candidate) => candidate.name === name);
  return field ? optionsOf(field.facts, choices).map(({ label }) => label) : [];
};

/** Returns the labels of the fields that a section shows for these values. Every field has a printable value. */
const labelsShown = (spec: SectionSpec, entry: object): string[] =>
  spec.groups
    .filter((group) => group.shows?.(entry) ?? true)
    .flatMap(({ path, fields }) => {
      const values: object = path ? get(entry, path) : entry;
      return fields.filter((field) => field.shows?.(values, choices) ?? true).map(({ facts }) => facts.label);
    });

/** Returns the section's values after its clearing rules. */
const applyClearing = (spec: SectionSpec, entry: object) => spec.clear(entry, choices);

const entryOf = (path: string, changes: object = {}) =>
  ({ ...get(screen("Phone"), path), ...changes }) as Record<string, unknown> & typeof changes;
const demographicEntry = (changes: object) => entryOf("client.clientDemographicEntry", changes);
const injured = { ...entryOf(`${survivorEntry}.brainInjuryEntry`), injuredHead: true, emergencyVisit: true };
const sectionsOf = (type: Type, status: ServiceStatusName = "Served") =>
  SECTIONS.filter(({ shows }) => shows(typeOf(type), status)).map(({ id }) => id);

type Rule = { rule: string; sentence: string; holds: () => void };

const RULES: Rule[] = [
  ...(
    [
      ["Phone", ["details", "services", "phone", "demographic"]],
      ["On-Call Advocacy", ["details", "on-call", "services", "biographical", "demographic", "survivor"]],
      ["Legal Advocacy", ["details", "legal", "services", "biographical", "demographic", "survivor"]],
      ["Survivor", ["details", "biographical", "demographic", "survivor"]],
      ["Service", ["details", "services"]],
    ] as const
  ).map(([type, sections]) => ({
    rule: `sections of ${type}`,
    sentence: "Sections appear according to the flags of the chosen form type",
    holds: () => expect(sectionsOf(type)).toEqual(sections),
  })),
  {
    rule: "hidden sections are never sent",
    sentence: "depending on the form type",
    holds: () => {
      const { client, form } = payloadOf("Phone");
      expect(Object.keys(client)).not.toContain("clientBiographicalEntry");
      expect(Object.keys(form.intakeForm ?? {})).not.toContain("survivorEntry");
      expect(Object.keys(payloadOf("Survivor").form)).not.toContain("serviceEntry");
    },
  },
  {
    rule: "a hidden section's values do not block",
    sentence: "any invalid section blocks the save",
    holds: () => expect(refusedFields("Phone", { [`${legalEntry}.placeOfService`]: null })).toEqual([]),
  },
  {
    rule: "service date defaults to today",
    sentence: "the service date defaults to today",
    holds: () => expect(blankForm(lists).serviceOn).toBe(today()),
  },
  {
    rule: "canine assistance only when offered",
    sentence: "Canine Assistance select (only when the form type allows it)",
    holds: () =>
      expect([canine.shows(typeOf("Phone")), canine.shows(typeOf("Service"))]).toEqual([false, true]),
  },
  {
    rule: "referral source unless intake-only",
    sentence: "Referral Source and Referral Source Name (only when the form type is not intake-only)",
    holds: () => {
      expect(intake.showsReferral(typeOf("Service"))).toBe(true);
      const referral = { [`${INTAKE}.referralSourceId`]: 1, [`${INTAKE}.referralSourceName`]: "Officer" };
      expect(payloadOf("Service", referral).form.intakeForm).toMatchObject({ referralSourceId: 1 });
      const none = { referralSourceId: null, referralSourceName: "" };
      expect(payloadOf("Survivor", referral).form.intakeForm).toMatchObject(none);
    },
  },
  {
    rule: "a referral source is told by code and description",
    sentence: "referralSource (id, code, description)",
    holds: () =>
      expect(optionsOf(factsAt(`${INTAKE}.referralSourceId`), choices)).toEqual([
        { value: 1, label: "POLICE – Law enforcement" },
      ]),
  },
  {
    rule: "the verbal confirmation of the form is a new client's, and sets another client's only from No to Yes",
    sentence: "Client: verbalConfirmation; Form: verbalConfirmation",
    holds: () => {
      const sent = (clientId: number | null, isTicked: boolean, wasTicked: boolean | null) => {
        const saved = wasTicked === null ? null : ({ verbalConfirmation: wasTicked } as Form);
        const values = screen("Service", { clientId, "form.verbalConfirmation": isTicked });
        const checked = check(values, { ...rules, saved });
        if (!("payload" in checked)) throw new Error(JSON.stringify(checked.problems));
        expect(checked.payload.form.verbalConfirmation).toBe(isTicked);
        return checked.payload.client.verbalConfirmation;
      };
      expect([sent(null, true, null), sent(null, false, null)]).toEqual([true, false]);
      expect([sent(5, true, null), sent(5, true, false)]).toEqual([true, true]);
      expect([
        sent(5, true, true),
        sent(5, false, null),
        sent(5, false, true),
        sent(5, false, false),
      ]).toEqual(Array(4).fill(undefined));
    },
  },
  {
    rule: "a form type that does not offer a code of the form is refused before anything is saved",
    sentence: "The service code lookup is reloaded when the form type changes",
    holds: () => {
      const row = { id: 9, serviceCode: code(1) };
      const saved = { formTypeId: 1, serviceEntry: { serviceProvidedEntries: [row] } } as unknown as Form;
      const rows = [{ key: "s9", code: code(1), offered: false }];
      const values = screen("Service", {
        clientId: 5,
        "form.serviceEntry.rows.s9": { ...services.rowDefaults(1), id: 9, minutes: 30 },
      });
      const problemsWith = (formTypeId: number) =>
        check(values, { ...rules, rows, saved: { ...saved, formTypeId } });
      const type = values.form.formTypeId ?? 0;
      expect(problemsWith(type)).toHaveProperty("payload");
      expect(problemsWith(type + 1)).toEqual({
        problems: { "form.serviceEntry.rows.s9.minutes": "Code is not offered for this form type" },
      });
    },
  },
  {
    rule: "rows of no minutes are not printed",
    sentence: "Rows with zero minutes are hidden when printing",
    holds: () => {
      const typed = {
        ...minutesAt(1, 0),
        ...minutesAt(2, null),
        ...minutesAt(3, 15),
        ...minutesAt(4, "soon"),
      };
      expect(spentRows(screen("Service", typed), rules).map(({ code }) => code.id)).toEqual([3]);
    },
  },
  {
    rule: "of a section that was filled Yes and No are printed, and blank and hidden fields are not",
    sentence: "Yes and No both where a boolean is asked",
    holds: () => {
      const { parts, unticked } = readSection(PHONE, entryOf(phoneEntry, { guns: true }), choices);
      const rows = parts.flatMap((part) => part.rows);
      expect(rows.find(({ label }) => label === "Guns")?.text).toBe("Yes");
      expect(unticked).toEqual(expect.arrayContaining(["Other Weapons", "TANF"]));
      expect(unticked).not.toContain("Guns");
      const labels = rows.map(({ label }) => label);
      expect(labels).not.toContain("Previous PFAs Description");
      expect(labels).not.toContain("Education Level");
    },
  },

  ...(["Served", "Partially Served", "Not Served"] as const).map((status) => ({
    rule: `reasons when ${status}`,
    sentence: "The service status entry appears and is sent only for Partially Served or Not Served",
    holds: () => {
      const asks = status !== "Served";
      expect(sectionsOf("Service", status).includes("service-status")).toBe(asks);
      const changes = { "form.serviceStatus": status, "form.serviceStatusEntry.other": true };
      expect("serviceStatusEntry" in payloadOf("Service", changes).form).toBe(asks);
    },
  })),
  {
    rule: "Magisterial Court clears the PFA court entry",
    sentence: "choosing Magisterial Court clears the PFA court entry",
    holds: () => {
      const entry = entryOf(legalEntry, { placeOfService: "M", pfaCourtEntry: { pfaCourtContactTypeId: 1 } });
      expect(applyClearing(LEGAL, entry)).toMatchObject({ pfaCourtEntry: { pfaCourtContactTypeId: null } });
      const court = {
        [`${legalEntry}.placeOfService`]: "M",
        [`${legalEntry}.magisterialEntry`]: { magisterialCourtOutcomeId: 1 },
      };
      expect(
        Object.keys(payloadOf("Legal Advocacy", court).form.intakeForm?.legalAdvocacyEntry ?? {}),
      ).not.toContain("pfaCourtEntry");
    },
  },
  ...["CT", "PF"].map((placeOfService) => ({
    rule: `place ${placeOfService} clears the magisterial entry`,
    sentence: "any other choice clears the magisterial entry",
    holds: () => {
      const magisterialEntry = { magisterialCourtOutcomeId: 1, magisterialCourtOutcomeOther: "x" };
      expect(applyClearing(LEGAL, entryOf(legalEntry, { placeOfService, magisterialEntry }))).toMatchObject({
        magisterialEntry: { magisterialCourtOutcomeId: null, magisterialCourtOutcomeOther: "" },
      });
    },
  })),
  ...(
    [
      ["M", ["Outcome", "Outcome Other", "First Criminal Court"]],
      ["CT", ["Contact Type", "PFA Granted", "First PFA"]],
      ["PF", []],
      [null, []],
    ] as const
  ).map(([placeOfService, labels]) => ({
    rule: `sub-section of place ${placeOfService}`,
    sentence: "legal advocacy (with a court-outcome or PFA-court sub-section)",
    holds: () => expect(labelsShown(LEGAL, entryOf(legalEntry, { placeOfService })).slice(3)).toEqual(labels),
  })),
  {
    rule: "no disability, no kind of it",
    sentence: "Unticking disability clears all disability sub-flags",
    holds: () => {
      const kinds = {
        disabilityPhysical: true,
        disabilityCognitive: true,
        disabilityMental: true,
        disabilityDeaf: true,
      };
      const entry = applyClearing(DEMOGRAPHIC, demographicEntry({ ...kinds, disability: false }));
      expect(entry).toMatchObject(Object.fromEntries(Object.keys(kinds).map((key) => [key, false])));
      expect(labelsShown(DEMOGRAPHIC, demographicEntry({}))).not.toContain("Physical Disability");
    },
  },
  {
    rule: "deaf goes with physical",
    sentence: "Ticking physical disability clears deaf; the deaf box shows only when physical is ticked",
    holds: () => {
      const unticked = demographicEntry({ disability: true, disabilityDeaf: true });
      expect(applyClearing(DEMOGRAPHIC, unticked)).toMatchObject({ disabilityDeaf: false });
      expect(labelsShown(DEMOGRAPHIC, unticked)).not.toContain("Deaf");
      expect(labelsShown(DEMOGRAPHIC, { ...unticked, disabilityPhysical: true })).toContain("Deaf");
    },
  },
  {
    rule: "emergency visit date",
    sentence: "Emergency visit date shows only when emergency visit is ticked",
    holds: () => {
      const entry = entryOf(survivorEntry, { brainInjuryAssessed: true, brainInjuryEntry: injured });
      expect(labelsShown(SURVIVOR, entry)).toContain("Emergency Visit Date");
      const none = { ...entry, brainInjuryEntry: { ...injured, emergencyVisit: false } };
      expect(labelsShown(SURVIVOR, none)).not.toContain("Emergency Visit Date");
    },
  },
  ...["threatenedPet", "harmedPet", "killedPet"].map((flag) => ({
    rule: `pet description with ${flag}`,
    sentence: "Pet description shows only if any pet flag is ticked",
    holds: () => {
      const entry = entryOf(survivorEntry);
      expect(labelsShown(SURVIVOR, entry)).not.toContain("Pet Description");
      const offenderEntry = { ...entryOf(`${survivorEntry}.offenderEntry`), [flag]: true };
      expect(labelsShown(SURVIVOR, { ...entry, offenderEntry })).toContain("Pet Description");
    },
  })),
  ...(
    [
      ["previousPfas", "previousPfasDescription", "Previous PFAs Description"],
      ["relatedArrests", "relatedArrestsDescription", "Related Arrests Description"],
    ] as const
  ).map(([box, text, label]) => ({
    rule: `${text} with ${box}`,
    sentence: "Previous-PFA and related-arrests descriptions show only when their boxes are ticked",
    holds: () => {
      const ticked = entryOf(phoneEntry, { [box]: true, [text]: "two" });
      expect(labelsShown(PHONE, ticked)).toContain(label);
      expect(labelsShown(PHONE, { ...ticked, [box]: false })).not.toContain(label);
      expect(applyClearing(PHONE, { ...ticked, [box]: false })).toMatchObject({ [text]: "" });
    },
  })),
  {
    rule: "other ethnicity",
    sentence: "The ethnicity-other text shows only when the chosen ethnicity is named Other",
    holds: () => {
      const other = demographicEntry({ ethnicityId: 2, ethnicityOther: "Roma" });
      expect(labelsShown(DEMOGRAPHIC, other)).toContain("Ethnicity Other");
      expect(labelsShown(DEMOGRAPHIC, { ...other, ethnicityId: 1 })).not.toContain("Ethnicity Other");
      expect(applyClearing(DEMOGRAPHIC, { ...other, ethnicityId: 1 })).toMatchObject({ ethnicityOther: "" });
    },
  },
  {
    rule: "no assessment, no brain injury answers",
    sentence: "Unchecking Brain Injury Assessed resets all brain-injury answers to false or blank",
    holds: () => {
      const entry = entryOf(survivorEntry, { brainInjuryAssessed: false, brainInjuryEntry: injured });
      expect(applyClearing(SURVIVOR, entry)).toMatchObject({
        brainInjuryEntry: { injuredHead: false, emergencyVisit: false, emergencyVisitOn: null },
      });
      expect(labelsShown(SURVIVOR, entry)).not.toContain("Head Injury");
    },
  },
  ...(
    [
      ["Service", 2, 2],
      ["Phone", 2, 1],
      ["Service", null, 1],
    ] as const
  ).map(([type, canineId, expected]) => ({
    rule: `canine ${canineId} on ${type}`,
    sentence: "phone forms, or a form with no canine, set the canine to the one named None",
    holds: () => expect(payloadOf(type, { "form.canineId": canineId }).form.canineId).toBe(expected),
  })),
  {
    rule: "a continuing client must be chosen",
    sentence: "'Continuing Client' switches between choosing an existing client and typing a new client name",
    holds: () => {
      const existing = { useExistingClient: true, "client.name": "" };
      expect(refusedFields("Service", existing)).toEqual(["clientId"]);
      expect(refusedFields("Service", { useExistingClient: true, clientId: 7 })).toEqual([]);
    },
  },
  {
    rule: "a phone number of the chosen client that is older than the rule for numbers blocks no save",
    sentence: "Submitting is blocked while anything is invalid",
    holds: () => {
      const path = "client.clientBiographicalEntry.phoneNumber";
      const stored = screen("On-Call Advocacy", { clientId: 7, [path]: "none" });
      const base = { current: { client: stored.client, form: stored.form } };
      const refused = (number: string, changes: object = {}) => {
        const values = screen("On-Call Advocacy", { clientId: 7, [path]: number, ...changes });
        const checked = check(values, { ...rules, base });
        return Object.keys("problems" in checked ? checked.problems : {});
      };
      expect([refused("none"), refused("unknown"), refused("")]).toEqual([[], [path], []]);
      // On blur, while other fields are still missing.
      expect(refused("unknown", { "client.name": "" }).toSorted()).toEqual([path, "client.name"]);
      expect(refusedFields("On-Call Advocacy", { [path]: "none" })).toEqual([path]);
    },
  },
  {
    rule: "no continuing client, no client",
    sentence: "Unticking the use-existing-client box resets the client to blank and clears clientId",
    holds: () => {
      const chosen = { ...screen("Service"), useExistingClient: true, clientId: 7 };
      const unticked = { ...chosen, useExistingClient: false, ...noClient() };
      expect(unticked).toMatchObject({ clientId: null, client: blankClient() });
      expect(Object.keys((check(unticked, rules) as { problems: object }).problems)).toEqual(["client.name"]);
    },
  },
  {
    rule: "hotel shelter detail by the code's flag",
    sentence: "the hotel shelter detail appears for codes flagged hotelShelter",
    holds: () => {
      const { serviceProvidedEntries: entries } =
        payloadOf("Service", { ...minutesAt(1, 5), ...minutesAt(2, 5) }).form.serviceEntry ?? {};
      expect(entries?.map((entry) => "hotelShelterEntry" in entry)).toEqual([false, true]);
      expect(labelsShown(HOTEL_SHELTER, {})).toEqual([
        "Needs Met",
        "Children Under 13",
        "Children 13 to 17",
        "Adults",
        "Reason",
      ]);
    },
  },
  {
    rule: "videoconferencing detail by minutes and flag",
    sentence: "when minutes are above zero and the code is flagged videoconferencing",
    holds: () => {
      expect([services.showsVideoconferencing(VIDEO, 0), services.showsVideoconferencing(VIDEO, 5)]).toEqual([
        false,
        true,
      ]);
      const { serviceProvidedEntries: entries } =
        payloadOf("Service", { ...minutesAt(1, 5), ...minutesAt(3, 5) }).form.serviceEntry ?? {};
      expect(entries?.map((entry) => "videoconferencingEntry" in entry)).toEqual([false, true]);
    },
  },
  ...[true, false].map((emergencyPfaGranted) => ({
    rule: `reason when emergency PFA granted is ${emergencyPfaGranted}`,
    sentence: "When emergency PFA is not granted and minutes are above zero, a reason text is asked",
    holds: () =>
      expect(labelsShown(VIDEOCONFERENCING, { emergencyPfaGranted }).length).toBe(
        emergencyPfaGranted ? 1 : 2,
      ),
  })),
  {
    rule: "rows of no minutes are dropped",
    sentence: "On save, service rows with blank or zero minutes are dropped",
    holds: () => {
      const changes = { ...minutesAt(1, 0), ...minutesAt(2, null), ...minutesAt(4, 5) };
      const sentRows = payloadOf("Service", changes).form.serviceEntry?.serviceProvidedEntries;
      expect(sentRows?.map(({ serviceCodeId }) => serviceCodeId)).toEqual([4]);
    },
  },

  ...(
    [
      ["client name", "Service", "client.name", ""],
      ["service status", "Service", "form.serviceStatus", null],
      ["service date", "Service", "form.serviceOn", null],
      ["verbal confirmation", "Service", "form.verbalConfirmation", null],
      ["legal place of service", "Legal Advocacy", `${legalEntry}.placeOfService`, null],
      ["on-call place of service", "On-Call Advocacy", `${INTAKE}.onCallAdvocacyEntry.placeOfService`, null],
      ["current PFA order", "Phone", `${phoneEntry}.currentPfaOrder`, null],
      ["offender relationship", "Survivor", `${survivorEntry}.offenderRelationshipId`, null],
    ] as const
  ).map(([what, type, path, value]) => ({
    rule: `${what} is required`,
    sentence: "required, marked *",
    holds: () => {
      expect(refusedFields(type, { [path]: value })).toContain(path);
      expect(refusedFields(type)).toEqual([]);
    },
  })),
  {
    rule: "form type is required",
    sentence: "the selected form type required",
    holds: () => expect(refusedFields(null)).toEqual(["form.formTypeId"]),
  },
  ...(
    [
      ["CT", "pfaCourtEntry.pfaCourtContactTypeId"],
      ["M", "magisterialEntry.magisterialCourtOutcomeId"],
    ] as const
  ).map(([place, path]) => ({
    rule: `${path} is required`,
    sentence: "PFA court contact type required; magisterial court outcome required",
    holds: () => {
      const chosen = { [`${legalEntry}.placeOfService`]: place };
      const without = { ...chosen, [`${legalEntry}.${path.split(".")[0]}`]: null };
      expect(refusedFields("Legal Advocacy", chosen)).toEqual([`${legalEntry}.${path}`]);
      expect(refusedFields("Legal Advocacy", without)).toEqual([`${legalEntry}.${path}`]);
    },
  })),
  {
    rule: "what is required is starred",
    sentence: "(all marked *), 'Client Name *', 'Offender Relationship *'",
    holds: () => {
      const details = DETAILS.filter((name) => name !== "clientId").map(factsAt);
      const required = details.filter((facts) => facts.required && facts.kind !== "flag");
      expect(required.map(({ label }) => label)).toEqual([
        "Client Name",
        "Form Type",
        "Service On",
        "Service Status",
      ]);
      expect([LEGAL, ON_CALL, PHONE, SURVIVOR].map(requiredLabels)).toEqual([
        ["Place of Service", "Contact Type", "Outcome"],
        ["Place of Service"],
        ["Current PFA Order"],
        ["Offender Relationship"],
      ]);
    },
  },
  {
    rule: "reasons are required unless served",
    sentence: "Service status entry required only when status is not Served",
    holds: () => {
      expect(refusedFields("Service", { "form.serviceStatus": "Not Served" })).toEqual([
        "form.serviceStatusEntry.appropriateServices",
      ]);
      expect(fieldsOf(SERVICE_STATUS)).toHaveLength(7);
    },
  },
  ...(
    [
      [`${survivorEntry}.numberOfChildren`, "Survivor"],
      ["form.serviceEntry.otherServiceMinutes", "Service"],
    ] as const
  ).map(([path, type]) => ({
    rule: `${path} is not negative`,
    sentence: "Numeric inputs have a minimum of 0",
    holds: () => expect(refusedFields(type, { [path]: -1 })).toEqual([path]),
  })),
  ...["adults", "childrenUnderThirteen", "childrenThirteenToSeventeen"].map((name) => ({
    rule: `${name} is not negative`,
    sentence: "Numeric inputs (children under 13, children 13 to 17, adults) have a minimum of 0",
    holds: () =>
      expect(refusedFields("Service", minutesAt(2, 5, { hotelShelterEntry: { [name]: -1 } }))).toEqual([
        `form.serviceEntry.rows.c2.hotelShelterEntry.${name}`,
      ]),
  })),
  ...([-5, "abc", 1441] as const).map((minutes) => ({
    rule: `minutes ${minutes} are refused at their row`,
    sentence: "minutes have a minimum of 0; blocked while anything is invalid",
    holds: () =>
      expect(refusedFields("Service", { ...minutesAt(1, 0), ...minutesAt(4, minutes) })).toEqual([
        "form.serviceEntry.rows.c4.minutes",
      ]),
  })),
  ...(
    [
      ["phone", "4125550100", "(412) 555-0100"],
      ["phone", "4125550100 ext. 12", "(412) 555-0100 x12"],
      ["ssn", "123456789", "123-45-6789"],
      ["tin", "1234567890", "12-34567890"],
      ["date", "01022020", "01/02/2020"],
    ] as const
  ).map(([mask, typed, shaped]) => ({
    rule: `the mask of ${mask} ${typed}`,
    sentence:
      "phone (###) ###-#### with optional extension digits; SSN ###-##-####; TIN ##-########; mm/dd/yyyy",
    holds: () => expect(masks[mask](typed)).toBe(shaped),
  })),
  {
    rule: "the phone number and the date of birth are masked",
    sentence: "Input masks",
    holds: () => {
      const kinds = fieldsOf(BIOGRAPHICAL).flatMap(({ facts }) =>
        facts.kind === "day" || ("mask" in facts && facts.mask) ? [facts.label] : [],
      );
      expect(kinds.sort()).toEqual(["Date of Birth", "Phone Number"]);
    },
  },
  {
    rule: "minutes count when they are a number above zero",
    sentence: "a greater-than-zero check fails on non-numbers or values at most 0",
    holds: () =>
      expect([null, undefined, Number.NaN, -1, 0, 1].map((spent) => services.isSpent(spent))).toEqual([
        false,
        false,
        false,
        false,
        false,
        true,
      ]),
  },
  {
    rule: "only codes of a magistrate count at Magisterial Court",
    sentence: "in magisterial mode only service codes flagged canBeMagistrate",
    holds: () => {
      const court = {
        ...minutesAt(1, 10),
        ...minutesAt(4, 25),
        [`${legalEntry}.placeOfService`]: "M",
        [`${legalEntry}.magisterialEntry.magisterialCourtOutcomeId`]: 1,
      };
      const entries = payloadOf("Legal Advocacy", court).form.serviceEntry?.serviceProvidedEntries ?? [];
      expect(entries.map(({ magisterial }) => magisterial)).toEqual([false, true]);
      expect(services.totalMinutes(entries, rules.codes, true)).toBe(25);
      expect(services.totalMinutes(entries, rules.codes, false)).toBe(35);
      const mode = (type: Type) =>
        isMagisterialMode(formTypeOf(typeOf(type).id, lists), { placeOfService: "M" });
      expect([mode("Legal Advocacy"), mode("Service")]).toEqual([true, false]);
    },
  },

  ...(
    [
      ["genders", DEMOGRAPHIC, "gender", ["Unknown", "Male", "Female", "Transgender", "Other"]],
      ["PFA orders", PHONE, "currentPfaOrder", ["None", "Temporary", "Final"]],
      ["legal places", LEGAL, "placeOfService", ["Magisterial Court", "PFA Court", "Police Facility"]],
      ["on-call places", ON_CALL, "placeOfService", ["Other", "Hotel", "Hospital", "Police Department"]],
    ] as const
  ).map(([what, spec, name, options]) => ({
    rule: what,
    sentence: "options",
    holds: () => expect(offeredLabels(spec, name)).toEqual(options),
  })),
  {
    rule: "codes of the legal places",
    sentence: "Magisterial Court (M), PFA Court (CT), Police Facility (PF)",
    holds: () => expect(LEGAL_PLACES.map(({ value }) => value)).toEqual(["M", "CT", "PF"]),
  },
  {
    rule: "states",
    sentence: "the 50 US two-letter codes, sorted (no DC)",
    holds: () => {
      const states = offeredLabels(BIOGRAPHICAL, "state");
      expect([new Set(states).size, states.includes("DC"), states.includes("PA")]).toEqual([50, false, true]);
      expect(states).toEqual([...states].sort());
    },
  },
  {
    rule: "service statuses",
    sentence: "Service statuses: Served, Partially Served, Not Served",
    holds: () =>
      expect(optionsOf(factsAt("form.serviceStatus"), {}).map(({ value }) => value)).toEqual([
        "Served",
        "Partially Served",
        "Not Served",
      ]),
  },
  {
    rule: "minutes below zero are refused with the bound",
    sentence: "Numeric inputs have a minimum of 0",
    holds: () => {
      const typed = {
        ...minutesAt(1, parseMinutes("-5")),
        "form.serviceEntry.otherServiceMinutes": -5,
      };
      expect(problemsOf("Service", typed)).toEqual({
        "form.serviceEntry.rows.c1.minutes": "Minutes must be 0 or more",
        "form.serviceEntry.otherServiceMinutes": "Other Service Minutes must be 0 or more",
      });
    },
  },
  {
    rule: "a form without time is told by its services, if the client was served, and blocks nothing",
    sentence: "minute totals count only rows with minutes above 0",
    holds: () => {
      const recordsNoMinutes = (type: Type, changes = {}) => recordsNoTime(payloadOf(type, changes).form);
      expect([recordsNoMinutes("Service"), recordsNoMinutes("Phone"), recordsNoMinutes("Survivor")]).toEqual([
        true,
        true,
        false,
      ]);
      expect(recordsNoMinutes("Service", minutesAt(1, 0))).toBe(true);
      expect(recordsNoMinutes("Service", minutesAt(1, 5))).toBe(false);
      expect(recordsNoMinutes("Service", { "form.serviceEntry.otherServiceMinutes": 5 })).toBe(false);
      const notServed = { "form.serviceStatus": "Not Served", "form.serviceStatusEntry.other": true };
      expect(recordsNoMinutes("Service", notServed)).toBe(false);
    },
  },
  {
    rule: "defaults",
    sentence: "default Unknown; default None; Default number of children 0",
    holds: () => {
      expect(demographicEntry({}).gender).toBe("Unknown");
      expect(entryOf(phoneEntry).currentPfaOrder).toBe("None");
      expect(entryOf(survivorEntry).numberOfChildren).toBe(0);
    },
  },
];

// `%s` as the last placeholder keeps a sentence of any length whole.
test.each(RULES.map(({ rule, sentence, holds }) => [`${rule} · ${sentence}`, holds] as const))(
  "the form screen's rule holds: %s",
  (_, holds) => holds(),
);

test("the services table lists the form's codes first, then those the user used last, then the others by code", () => {
  const offered = [PLAIN, HOTEL, VIDEO, COURT];
  const codesOf = (table: readonly { code: ServiceCode }[]) => table.map((row) => row.code.id);
  expect(codesOf(tableRows(null, offered))).toEqual([1, 2, 3, 4]);
  expect(codesOf(tableRows(null, offered, [4, 99, 2]))).toEqual([4, 2, 1, 3]);
});

test.each([
  ["2000-06-15", "2018-06-14", "13–17"],
  ["2000-06-15", "2018-06-15", "18–24"],
  ["2024-02-29", "2025-02-28", "0–12"],
  ["1930-01-01", "2026-01-01", "60 and older"],
  ["2026-01-02", "2026-01-01", null],
  ["01/02/19", "2026-01-01", null],
  [null, "2026-01-01", null],
])("a client born on %s is on %s in the age bracket %s", (born, day, name) => {
  const brackets = ageBrackets.map((bracket, index) => ({ ...bracket, id: index + 1 }));
  const id = ageBracketAt(brackets.toReversed(), born, day);
  expect(brackets.find((bracket) => bracket.id === id)?.name ?? null).toBe(name);
});
