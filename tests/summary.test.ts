import { describe, expect, test } from "vitest";
import { summaryOf, warningsOf } from "@/components/forms/summary";
import { choicesOf } from "@/components/record/choices";
import { fieldsOf, isNested } from "@/lib/core/fields/facts";
import { blanksOf } from "@/lib/core/fields/shapes";
import type { Form } from "@/lib/forms/api-schema";
import { formSchema } from "@/lib/forms/schema";
import { legal } from "@/lib/forms/sections/legal";
import { onCall } from "@/lib/forms/sections/on-call";
import { phone } from "@/lib/forms/sections/phone";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { survivor } from "@/lib/forms/sections/survivor";
import type { ServiceCode } from "@/lib/lookups/api-schema";
import { type FormType, NO_FLAGS } from "@/lib/lookups/types";
import { formTypes } from "@/prisma/seed-data";
import { formListsOf } from "@/tests/form-lists";

// A form in one line, and the warnings above a client's forms.

const list = (...names: string[]) => names.map((name, index) => ({ id: index + 1, name }));
const choices = choicesOf(
  formListsOf({
    offenderRelationships: list("Spouse", "Former Partner"),
    pfaCourtContactTypes: list("Final Hearing"),
    magisterialCourtOutcomes: list("Held for Court"),
    custodyStatuses: list("Shared"),
  }),
);
const typeNamed = (name: string) =>
  formTypes
    .map((type, index): FormType => ({ ...NO_FLAGS, ...type, id: index + 1 }))
    .find((type) => type.name === name) as FormType;

let codes = 0;
const code = (description: string, flags: Partial<ServiceCode> = {}): ServiceCode => {
  codes += 1;
  return {
    id: codes,
    code: `CODE-${codes}`,
    description,
    hotelShelter: false,
    videoconferencing: false,
    canBeMagistrate: false,
    onCallMainType: false,
    hasReferral: true,
    ...flags,
  };
};
const COMP = code("**Compensation claim**: filed or followed up.");
const POLICE = code("**Law Enforcement** advocacy: reports.", { canBeMagistrate: true });
const RIDE = code("Transportation; bus passes and gas cards.");
const PLAIN = code("");

type Row = [ServiceCode, minutes: number, more?: object];
const spent = (rows: Row[], more: object = {}) => ({
  id: 1,
  otherService: "",
  otherServiceMinutes: 0,
  ...more,
  serviceProvidedEntries: rows.map(([serviceCode, minutes, row], index) => ({
    id: index + 1,
    serviceEntryId: 1,
    serviceCode,
    serviceCodeId: serviceCode.id,
    magisterial: false,
    minutes,
    referrals: "",
    videoconferencingEntry: null,
    hotelShelterEntry: null,
    ...row,
  })),
});

function form(type: string, values: object = {}): Form {
  const user = { id: 1, firstName: "Ada", lastName: "Moss" };
  return {
    id: 1,
    clientId: 1,
    userId: 1,
    user,
    client: { id: 1, name: "Client" },
    lockVersion: 0,
    formType: typeNamed(type),
    formTypeId: 1,
    serviceOn: "2026-11-20",
    serviceStatus: "Served",
    verbalConfirmation: true,
    canineId: null,
    intakeForm: null,
    serviceEntry: null,
    serviceStatusEntry: null,
    reconciled: false,
    reconciledBy: null,
    reconciledAt: null,
    returned: null,
    comments: [],
    ...values,
  } as unknown as Form;
}

const intake = (entries: object) => ({ intakeForm: { referralSourceId: null, ...entries } });
const reasons = (...names: string[]) => ({
  ...blanksOf(serviceStatus.schema),
  ...Object.fromEntries(names.map((name) => [name, true])),
});

const LINES: [unit: string, form: Form, line: string][] = [
  ["a form without entries", form("Service"), "11/20/2026 · Service"],
  [
    "a phone form as in the manual",
    form("Phone", {
      serviceStatus: "Partially Served",
      serviceStatusEntry: reasons("transportationOrAccess"),
      serviceEntry: spent([
        [POLICE, 50],
        [COMP, 120, { referrals: "Referred to county assistance." }],
      ]),
    }),
    "11/20/2026 · Phone · 2\u00a0h\u00a050\u00a0min · Compensation claim, law enforcement · referred to county assistance · Partially served: transportation",
  ],
  [
    "safety facts of a phone call",
    form(
      "Phone",
      intake({ phoneEntry: { ...blanksOf(phone.schema), currentPfaOrder: "Temporary", guns: true } }),
    ),
    "11/20/2026 · Phone · PFA order: temporary, guns",
  ],
  [
    "blanks and defaults of every section",
    form("On-Call Advocacy", {
      ...intake({
        phoneEntry: blanksOf(phone.schema),
        onCallAdvocacyEntry: blanksOf(onCall.schema),
        legalAdvocacyEntry: blanksOf(legal.schema),
        survivorEntry: blanksOf(survivor.schema),
      }),
      serviceEntry: spent([[COMP, 0]]),
    }),
    "11/20/2026 · On-Call Advocacy",
  ],
  [
    "an on-call form",
    form(
      "On-Call Advocacy",
      intake({
        onCallAdvocacyEntry: { ...blanksOf(onCall.schema), placeOfService: "Police Department" },
        survivorEntry: { ...blanksOf(survivor.schema), offenderRelationshipId: 2, numberOfChildren: 2 },
      }),
    ),
    "11/20/2026 · On-Call Advocacy · place: police department, offender: former partner, children: 2",
  ],
  [
    "a PFA hearing",
    form(
      "Legal Advocacy",
      intake({
        legalAdvocacyEntry: {
          ...blanksOf(legal.schema),
          placeOfService: "CT",
          pfaCourtEntry: { pfaCourtContactTypeId: 1, pfaGranted: true, firstPfa: true },
          magisterialEntry: null,
        },
      }),
    ),
    "11/20/2026 · Legal Advocacy · PFA court, final hearing, PFA granted",
  ],
  [
    "a magisterial court, where only some codes count",
    form("Legal Advocacy", {
      ...intake({
        legalAdvocacyEntry: {
          ...blanksOf(legal.schema),
          placeOfService: "M",
          pfaCourtEntry: null,
          magisterialEntry: { magisterialCourtOutcomeId: 1, firstCriminalCourt: false },
        },
      }),
      serviceEntry: spent([
        [COMP, 90],
        [POLICE, 60],
      ]),
    }),
    "11/20/2026 · Legal Advocacy · 1\u00a0h · Compensation claim, law enforcement · magisterial court, outcome: held for court",
  ],
  [
    "many services, a plain description, none, and a service in words",
    form("Service", {
      serviceEntry: spent(
        [
          [PLAIN, 5],
          [RIDE, 45],
          [COMP, 10],
        ],
        { otherService: "Letter to the landlord", otherServiceMinutes: 20 },
      ),
    }),
    `11/20/2026 · Service · 1\u00a0h · Transportation, compensation claim, ${PLAIN.code}, 1 more`,
  ],
  [
    "a long referral",
    form("Service", { serviceEntry: spent([[COMP, 5, { referrals: `Legal aid ${"again ".repeat(20)}` }]]) }),
    "11/20/2026 · Service · 5\u00a0min · Compensation claim · referral: Legal aid again again again again again again again again a…",
  ],
  [
    "a form that was not served for two reasons",
    form("Service", {
      serviceStatus: "Not Served",
      serviceStatusEntry: reasons("languageCapacities", "other"),
    }),
    "11/20/2026 · Service · Not served: language, other reason",
  ],
  [
    "a form without its reason",
    form("Service", { serviceStatus: "Not Served" }),
    "11/20/2026 · Service · Not served",
  ],
  [
    "a value that its list no longer has",
    form("Survivor", intake({ survivorEntry: { ...blanksOf(survivor.schema), offenderRelationshipId: 99 } })),
    "11/20/2026 · Survivor",
  ],
];

describe("the line of a form", () => {
  test.each(LINES)("states %s", (_, given, line) => {
    expect(summaryOf(given, choices).join(" · ")).toBe(line);
  });
});

const PHONE = "intakeForm.phoneEntry";
const reported = (path: string, value: unknown, serviceOn: string) => ({ path, value, serviceOn });

describe("the warnings above a client's forms", () => {
  test.each([
    ["nothing", [], []],
    ["a box with its day", [reported(`${PHONE}.guns`, true, "2026-11-20")], ["Reported 11/20/2026: guns"]],
    [
      "a choice with its day",
      [reported(`${PHONE}.currentPfaOrder`, "Temporary", "2026-11-18")],
      ["PFA order: temporary, 11/18/2026"],
    ],
    [
      "the newest day first, with the boxes of a day together",
      [
        reported(`${PHONE}.currentPfaOrder`, "Final", "2026-11-18"),
        reported(`${PHONE}.guns`, true, "2026-11-20"),
        reported(`${PHONE}.otherWeapons`, true, "2026-11-20"),
        reported("intakeForm.survivorEntry.offenderEntry.harmedPet", true, "2025-02-03"),
      ],
      [
        "Reported 11/20/2026: guns, other weapons",
        "PFA order: final, 11/18/2026",
        "Reported 02/03/2025: harmed a pet",
      ],
    ],
  ])("are %s", (_, values, words) => {
    expect(warningsOf(values, choices)).toEqual(words);
  });

  test("have positive words for every field that warns", () => {
    const warning = (schema: Parameters<typeof fieldsOf>[0]): string[] =>
      fieldsOf(schema).flatMap(({ facts, schema: field }) =>
        isNested(facts) ? warning(field) : facts.safety ? [facts.summary ?? ""] : [],
      );
    const words = warning(formSchema);
    expect(words.length).toBeGreaterThan(5);
    for (const text of words) expect(text).toMatch(/^(?!.*\b(no|not|none|in force)\b)\p{L}/iu);
  });
});
