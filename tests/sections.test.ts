import { get, set } from "react-hook-form";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { BIOGRAPHICAL, DEMOGRAPHIC } from "@/components/clients/sections";
import { LEGAL } from "@/components/forms/sections/legal";
import { ON_CALL } from "@/components/forms/sections/on-call";
import { PHONE } from "@/components/forms/sections/phone";
import { SERVICE_STATUS } from "@/components/forms/sections/service-status";
import { SURVIVOR } from "@/components/forms/sections/survivor";
import { join } from "@/components/record/section";
import { biographical, clientSchema, demographic, otherEthnicityId, STATES } from "@/lib/clients/schema";
import { fieldsOf, isNested } from "@/lib/core/fields/facts";
import { blanksOf, withoutUnasked } from "@/lib/core/fields/shapes";
import { isRecord } from "@/lib/core/objects";
import { clearForm, type FormInput, formSchema, refusedSections } from "@/lib/forms/schema";
import { canine, noneCanineId } from "@/lib/forms/sections/canine";
import { intake } from "@/lib/forms/sections/intake";
import { LEGAL_PLACES, legal } from "@/lib/forms/sections/legal";
import { ON_CALL_PLACES, onCall } from "@/lib/forms/sections/on-call";
import { PFA_ORDERS, phone } from "@/lib/forms/sections/phone";
import { serviceStatus } from "@/lib/forms/sections/service-status";
import { type ServiceEntry, services } from "@/lib/forms/sections/services";
import { survivor } from "@/lib/forms/sections/survivor";
import { SERVICE_STATUSES } from "@/lib/forms/words";
import { type FormTypeFlags, NO_FLAGS } from "@/lib/lookups/types";
import { formTypes } from "@/prisma/seed-data";

// The rules of each section, one by one: pure functions, the same in the browser and on the server.

const flags = (name: string): FormTypeFlags => ({
  ...NO_FLAGS,
  ...formTypes.find((type) => type.name === name),
});

/** Freezes the value deeply, so that a rule that changes its input throws. */
function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** Returns the result of the rule, which must not change when the rule is applied again. */
function applyTwice<T>(rule: (value: T) => T, value: T): T {
  const once = rule(deepFreeze(value));
  expect(rule(deepFreeze(once))).toEqual(once);
  return once;
}

describe("the sections of a form type", () => {
  const shownSections = (type: FormTypeFlags) =>
    Object.entries({ phone, onCall, legal, survivor, services })
      .filter(([, section]) => section.shows(type))
      .map(([name]) => name)
      .sort();

  test.each([
    ["Phone", ["phone", "services"], { canine: false, referral: true }],
    ["On-Call Advocacy", ["onCall", "services", "survivor"], { canine: true, referral: true }],
    ["Legal Advocacy", ["legal", "services", "survivor"], { canine: true, referral: true }],
    ["Survivor", ["survivor"], { canine: true, referral: false }],
    ["Service", ["services"], { canine: true, referral: true }],
  ])("are correct for %s", (name, sections, offers) => {
    expect(shownSections(flags(name))).toEqual(sections);
    expect({ canine: canine.shows(flags(name)), referral: intake.showsReferral(flags(name)) }).toEqual(
      offers,
    );
  });
});

describe("the canine of a form", () => {
  test("is None on phone forms and if none was chosen, and stays otherwise", () => {
    expect(canine.clear(5, flags("Phone"), 1)).toBe(1);
    expect(canine.clear(null, flags("Service"), 1)).toBe(1);
    expect(canine.clear(5, flags("Service"), 1)).toBe(5);
    expect(canine.clear(null, flags("Service"), null)).toBeNull();
  });

  test("None is found by its name in any case", () => {
    expect(
      noneCanineId([
        { id: 3, name: "Biscuit" },
        { id: 9, name: "none" },
      ]),
    ).toBe(9);
    expect(noneCanineId([])).toBeNull();
  });
});

describe("the legal advocacy section", () => {
  const { placeOfService: _, ...entry } = blanksOf(legal.schema);

  test.each([
    ["M", false, true],
    ["CT", true, false],
    ["PF", false, false],
    [null, false, false],
  ])("at the place %s keeps only the entry of its own court", (placeOfService, pfa, magisterial) => {
    const cleared = applyTwice((value) => legal.clear(value), { ...entry, placeOfService });
    expect([cleared.pfaCourtEntry !== null, cleared.magisterialEntry !== null]).toEqual([pfa, magisterial]);
  });

  test("requires a place, and each court's own choice", () => {
    expect(LEGAL_PLACES.map(({ value, label }) => `${label} (${value})`)).toEqual([
      "Magisterial Court (M)",
      "PFA Court (CT)",
      "Police Facility (PF)",
    ]);
    const problems = legal.schema.safeParse(entry).error?.issues.map(({ path }) => path.join("."));
    expect(problems).toEqual([
      "placeOfService",
      "pfaCourtEntry.pfaCourtContactTypeId",
      "magisterialEntry.magisterialCourtOutcomeId",
    ]);
  });
});

test("the on-call advocacy section requires a place", () => {
  expect(ON_CALL_PLACES).toEqual(["Other", "Hotel", "Hospital", "Police Department"]);
  expect(onCall.schema.safeParse(blanksOf(onCall.schema)).success).toBe(false);
  expect(onCall.schema.safeParse({ ...blanksOf(onCall.schema), placeOfService: "Hotel" }).success).toBe(true);
});

describe("the phone section", () => {
  test("starts with no PFA order, and requires one of three", () => {
    expect(PFA_ORDERS).toEqual(["None", "Temporary", "Final"]);
    expect(phone.schema.safeParse(blanksOf(phone.schema)).success).toBe(true);
    expect(blanksOf(phone.schema).currentPfaOrder).toBe("None");
    expect(phone.schema.safeParse({ ...blanksOf(phone.schema), currentPfaOrder: null }).success).toBe(false);
  });

  test("keeps its descriptions only while their checkboxes are selected", () => {
    const filledEntry = {
      ...blanksOf(phone.schema),
      previousPfasDescription: "two",
      relatedArrestsDescription: "one",
    };
    const descriptions = (entry: typeof filledEntry) => {
      const cleared = applyTwice((value) => withoutUnasked(phone.schema, value), entry);
      return [cleared.previousPfasDescription, cleared.relatedArrestsDescription];
    };
    expect(descriptions(filledEntry)).toEqual(["", ""]);
    expect(descriptions({ ...filledEntry, previousPfas: true })).toEqual(["two", ""]);
    expect(descriptions({ ...filledEntry, relatedArrests: true })).toEqual(["", "one"]);
  });
});

describe("the survivor section", () => {
  const defaults = blanksOf(survivor.schema);
  const injured = {
    ...defaults.brainInjuryEntry,
    injuredHead: true,
    emergencyVisit: true,
    emergencyVisitOn: "2026-01-02",
    lostConsciousness: true,
  };

  const clear = <Entry>(entry: Entry) => applyTwice((value) => withoutUnasked(survivor.schema, value), entry);

  test("starts with no child and requires the offender's relationship", () => {
    expect(defaults.numberOfChildren).toBe(0);
    expect(survivor.schema.safeParse(defaults).error?.issues.map(({ path }) => path.join("."))).toEqual([
      "offenderRelationshipId",
    ]);
  });

  test("clears the answers of a brain injury that was not assessed, and keeps the entry's id", () => {
    const entry = { ...defaults, brainInjuryAssessed: false, brainInjuryEntry: { ...injured, id: 7 } };
    expect(clear(entry).brainInjuryEntry).toEqual({
      ...defaults.brainInjuryEntry,
      id: 7,
    });
    const assessed = { ...entry, brainInjuryAssessed: true };
    expect(clear(assessed)).toEqual(assessed);
  });

  test("clears the date of an emergency visit that did not happen", () => {
    const entry = {
      ...defaults,
      brainInjuryAssessed: true,
      brainInjuryEntry: { ...injured, emergencyVisit: false },
    };
    expect(clear(entry).brainInjuryEntry).toMatchObject({
      emergencyVisitOn: null,
      injuredHead: true,
    });
  });

  test.each(["threatenedPet", "harmedPet", "killedPet"] as const)(
    "keeps a pet's description with %s",
    (flag) => {
      const described = {
        ...defaults,
        offenderEntry: { ...defaults.offenderEntry, petDescription: "a cat" },
      };
      const text = (entry: typeof described) => clear(entry).offenderEntry.petDescription;
      expect(text(described)).toBe("");
      expect(text({ ...described, offenderEntry: { ...described.offenderEntry, [flag]: true } })).toBe(
        "a cat",
      );
    },
  );

  test("counts a victimization once if it was chosen twice", () => {
    const parsed = survivor.schema.parse({ offenderRelationshipId: 1, secondaryVictimizationIds: [2, 1, 2] });
    expect(parsed?.secondaryVictimizationIds).toEqual([2, 1]);
  });
});

describe("the services section", () => {
  const plain = { hotelShelter: false, videoconferencing: false, canBeMagistrate: false };
  const codes = new Map([
    [1, plain],
    [2, { ...plain, hotelShelter: true }],
    [3, { ...plain, videoconferencing: true, canBeMagistrate: true }],
  ]);
  const row = (serviceCodeId: number, minutes: number) => ({
    ...services.rowDefaults(serviceCodeId),
    _destroy: false,
    minutes,
  });
  const clear = (rows: ReturnType<typeof row>[]) =>
    applyTwice<ServiceEntry>((entry) => services.clear(entry, codes), {
      ...blanksOf(services.schema),
      serviceProvidedEntries: rows,
    }).serviceProvidedEntries ?? [];

  test("drops rows without minutes, including destroyed ones", () => {
    expect(clear([row(1, 0), row(1, 5), { ...row(1, 5), _destroy: true }])).toHaveLength(1);
  });

  test("keeps details if their service code asks for them", () => {
    const details = (id: number) =>
      clear([row(id, 5)]).map((kept) => [
        kept.hotelShelterEntry !== null,
        kept.videoconferencingEntry !== null,
      ])[0];
    expect([1, 2, 3].map(details)).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  test("asks for the videoconferencing detail only above zero minutes, and always for the shelter's", () => {
    expect([0, null, 5].map((spent) => services.showsVideoconferencing(codes.get(3), spent))).toEqual([
      false,
      false,
      true,
    ]);
    expect(services.showsHotelShelter(codes.get(2))).toBe(true);
    expect(services.showsHotelShelter(undefined)).toBe(false);
  });

  test("keeps a reason only for an emergency PFA that was not granted", () => {
    const reason = (emergencyPfaGranted: boolean) => {
      const videoconferencingEntry = { emergencyPfaGranted, reason: "no judge" };
      const entry = { serviceProvidedEntries: [{ ...row(3, 5), videoconferencingEntry }] };
      const cleared = applyTwice((value) => withoutUnasked(services.schema, value), entry);
      return cleared.serviceProvidedEntries[0]?.videoconferencingEntry.reason;
    };
    expect([reason(false), reason(true)]).toEqual(["no judge", ""]);
  });

  test("counts rows above zero in its total, and only magistrates' codes in the magistrate total", () => {
    const rows = [row(1, 10), row(2, 0), row(3, 25), { ...row(1, 0), minutes: null }];
    expect(services.totalMinutes(rows, codes, false)).toBe(35);
    expect(services.totalMinutes(rows, codes, true)).toBe(25);
    expect(services.totalMinutes([], codes, false)).toBe(0);
  });
});

describe("the reasons of a service status", () => {
  test("are required for clients not fully served, with the required wording", () => {
    expect([...SERVICE_STATUSES, null].map(serviceStatus.shows)).toEqual([false, true, true, false]);
    const reasons = fieldsOf(serviceStatus.schema).filter(({ facts }) => facts.kind === "flag");
    expect(reasons.map(({ facts }) => facts.label)).toEqual([
      "Services not appropriate for victim/survivor",
      "Inadequate language capacity",
      "Lack of Agency Capacity",
      "Insufficient transportation/access to service",
      "Insufficient or lack of culturally appropriate services",
      "Insufficient services for people with disabilities",
      "Other",
    ]);
  });

  test("must include at least one", () => {
    expect(serviceStatus.schema.safeParse(blanksOf(serviceStatus.schema)).success).toBe(false);
    expect(serviceStatus.schema.safeParse({ ...blanksOf(serviceStatus.schema), other: true }).success).toBe(
      true,
    );
  });
});

describe("a whole form", () => {
  const input = formSchema.parse({
    clientId: 1,
    formTypeId: 1,
    serviceOn: "2026-03-04",
    serviceStatus: "Served",
    verbalConfirmation: true,
    intakeForm: {
      referralSourceId: 4,
      referralSourceName: "Officer Kim",
      phoneEntry: { currentPfaOrder: "None", previousPfasDescription: "gone" },
      survivorEntry: { offenderRelationshipId: 1 },
    },
    serviceEntry: { serviceProvidedEntries: [{ serviceCodeId: 1, minutes: 0 }] },
    serviceStatusEntry: { other: true },
  });
  const rules = (type: string) => ({ formType: flags(type), noneCanineId: 1, codes: new Map() });

  test.each(formTypes.map(({ name }) => name))("of type %s includes nothing outside its type", (type) => {
    const cleared = applyTwice<FormInput>((form) => clearForm(form, rules(type)), structuredClone(input));
    expect(refusedSections(cleared, flags(type))).toEqual({});
    expect(cleared.serviceStatusEntry).toBeNull();
    expect(cleared.intakeForm?.referralSourceName).toBe(type === "Survivor" ? "" : "Officer Kim");
    expect(cleared.serviceEntry?.serviceProvidedEntries ?? []).toEqual([]);
  });

  test("names each section that its type must not include", () => {
    expect(Object.keys(refusedSections(input, flags("Service")))).toEqual([
      "form.intakeForm.phoneEntry",
      "form.intakeForm.survivorEntry",
    ]);
    expect(Object.keys(refusedSections(input, flags("Survivor")))).toEqual([
      "form.intakeForm.phoneEntry",
      "form.serviceEntry",
    ]);
  });
});

describe("the form of a client", () => {
  const disabled = {
    ...blanksOf(demographic.schema),
    disability: true,
    disabilityPhysical: true,
    disabilityCognitive: true,
    disabilityMental: true,
    disabilityDeaf: true,
  };
  const clear = (entry: typeof disabled, other: number | null = null) =>
    applyTwice((value) => demographic.clear(value, other), entry);

  test("starts with an unknown gender and nothing selected", () => {
    expect(blanksOf(demographic.schema).gender).toBe("Unknown");
    expect(Object.values(blanksOf(biographical.schema)).every((value) => !value)).toBe(true);
  });

  test("clears every kind of disability without one, and deaf without a physical one", () => {
    expect(clear(disabled)).toEqual(disabled);
    expect(clear({ ...disabled, disability: false })).toMatchObject({
      disabilityPhysical: false,
      disabilityCognitive: false,
      disabilityMental: false,
      disabilityDeaf: false,
    });
    expect(clear({ ...disabled, disabilityPhysical: false })).toMatchObject({
      disabilityDeaf: false,
      disabilityMental: true,
    });
  });

  test("keeps the text of another ethnicity only while Other is chosen", () => {
    const filledEntry = { ...disabled, ethnicityId: 9, ethnicityOther: "Romani" };
    expect(clear(filledEntry, 9).ethnicityOther).toBe("Romani");
    expect(clear(filledEntry, 8).ethnicityOther).toBe("");
    expect(clear({ ...filledEntry, ethnicityId: null }, null).ethnicityOther).toBe("");
    expect(otherEthnicityId([{ id: 9, name: "OTHER" }])).toBe(9);
  });

  test("offers the 50 states, sorted, without DC", () => {
    expect(STATES).toHaveLength(50);
    expect(STATES).toEqual([...new Set(STATES)].sort());
    expect(STATES).not.toContain("DC");
  });
});

describe("a field that depends on boxes", () => {
  type IsTicked = (box: string) => boolean;

  /** The boxes of a section, and the fields that are asked while some of them are ticked. */
  const SECTIONS: [string, z.core.$ZodType, string[], (isTicked: IsTicked) => Record<string, boolean>][] = [
    [
      "form.intakeForm.phoneEntry",
      phone.schema,
      ["previousPfas", "relatedArrests"],
      (isTicked) => ({
        previousPfasDescription: isTicked("previousPfas"),
        relatedArrestsDescription: isTicked("relatedArrests"),
      }),
    ],
    [
      "form.intakeForm.survivorEntry",
      survivor.schema,
      [
        "brainInjuryAssessed",
        "brainInjuryEntry.emergencyVisit",
        "offenderEntry.threatenedPet",
        "offenderEntry.harmedPet",
        "offenderEntry.killedPet",
      ],
      (isTicked) => ({
        "brainInjuryEntry.emergencyVisitOn":
          isTicked("brainInjuryAssessed") && isTicked("brainInjuryEntry.emergencyVisit"),
        brainInjuryEntry: isTicked("brainInjuryAssessed"),
        "offenderEntry.petDescription":
          isTicked("offenderEntry.threatenedPet") ||
          isTicked("offenderEntry.harmedPet") ||
          isTicked("offenderEntry.killedPet"),
      }),
    ],
    [
      "client.clientDemographicEntry",
      demographic.schema,
      ["disability", "disabilityPhysical"],
      (isTicked) => ({
        disabilityPhysical: isTicked("disability"),
        disabilityCognitive: isTicked("disability"),
        disabilityMental: isTicked("disability"),
        disabilityDeaf: isTicked("disability") && isTicked("disabilityPhysical"),
      }),
    ],
    [
      "form.serviceEntry.serviceProvidedEntries.videoconferencingEntry",
      services.videoconferencing,
      ["emergencyPfaGranted"],
      (isTicked) => ({ reason: !isTicked("emergencyPfaGranted") }),
    ],
  ];

  /** Returns the paths of the fields that depend on boxes. */
  const dependents = (schema: z.core.$ZodType, at: string): string[] =>
    fieldsOf(schema).flatMap(({ name, facts, schema: field }) => [
      ...(facts.dependsOn ? [join(at, name)] : []),
      ...(isNested(facts) ? dependents(field, join(at, name)) : []),
    ]);

  test("is listed here", () => {
    const listed = SECTIONS.flatMap(([at, , , asked]) =>
      Object.keys(asked(() => true)).map((name) => join(at, name)),
    );
    const declared = [...dependents(formSchema, "form"), ...dependents(clientSchema, "client")];
    expect(listed.sort()).toEqual(declared.sort());
  });

  test.each(SECTIONS)("in %s keeps its value only while it is asked", (at, schema, boxes, asked) => {
    const specs = [PHONE, ON_CALL, LEGAL, SURVIVOR, BIOGRAPHICAL, DEMOGRAPHIC, SERVICE_STATUS];
    const spec = specs.find(({ path }) => path === at);
    const blank = blanksOf(schema as typeof survivor.schema);
    for (let ticked = 0; ticked < 2 ** boxes.length; ticked++) {
      const isTicked: IsTicked = (box) => Boolean(ticked & (2 ** boxes.indexOf(box)));
      const fields = asked(isTicked);
      const entry = structuredClone(blank);
      for (const name of Object.keys(fields)) {
        const before: unknown = get(blank, name);
        if (isRecord(before)) set(entry, `${name}.id`, 7);
        else set(entry, name, before === false ? true : "2026-01-02");
      }
      for (const box of boxes) set(entry, box, isTicked(box));
      const expected = structuredClone(entry);
      for (const [name, isAsked] of Object.entries(fields)) {
        const before: unknown = get(blank, name);
        if (!isAsked) set(expected, name, isRecord(before) ? { ...before, id: 7 } : before);
      }
      expect(applyTwice((value) => withoutUnasked(schema, value), entry)).toEqual(expected);
      if (spec) expect(spec.clear(entry, {})).toEqual(expected);
    }
  });
});

describe("the screen of a section", () => {
  /** Returns the paths of the fields that a user enters, also in nested entries. */
  const enteredFields = (schema: z.core.$ZodType): string[] =>
    fieldsOf(schema).flatMap(({ name, facts, schema: field }) => {
      if (isNested(facts)) return enteredFields(field).map((inner) => `${name}.${inner}`);
      return facts.entered ? [name] : [];
    });

  test.each([
    ["Biographical", BIOGRAPHICAL, biographical.schema],
    ["Demographic", DEMOGRAPHIC, demographic.schema],
    ["Service Status", SERVICE_STATUS, serviceStatus.schema],
    ["Phone", PHONE, phone.schema],
    ["On-Call Advocacy", ON_CALL, onCall.schema],
    ["Legal Advocacy", LEGAL, legal.schema],
    ["Survivor", SURVIVOR, survivor.schema],
  ])("%s has every field that its schema has", (_, { groups }, schema) => {
    const shown = groups.flatMap(({ path, fields }) => fields.map(({ name }) => join(path, name)));
    expect([...new Set(shown)].sort()).toEqual(enteredFields(schema).sort());
  });
});
