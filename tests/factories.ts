import { type Permission, permissionKey } from "@/lib/core/access/permissions";
import { db } from "@/lib/core/database/client";
import type { SERVICE_STATUSES } from "@/lib/forms/words";
import type { FormTypeName } from "@/prisma/seed-data";
import { call, signIn } from "@/tests/call";

let sequence = 0;
const next = () => {
  sequence += 1;
  return sequence;
};

export const ADVOCATE: Permission[] = ["forms", "clients"];

export type Person = { id: number; firstName: string; lastName: string; email: string; cookie: string };

/** Creates an activated, signed-in user who holds exactly `permissions`. */
export async function makeUser(permissions: readonly Permission[] = ADVOCATE): Promise<Person> {
  const n = next();
  const granted = (await db().permission.findMany()).filter(({ name }) =>
    permissions.includes(permissionKey(name) as Permission),
  );
  const user = await db().user.create({
    data: {
      firstName: `First${n}`,
      lastName: `Last${n}`,
      email: `user${n}@example.org`,
      activatedAt: new Date(),
      role: {
        create: {
          name: `Role ${n}`,
          permissions: { create: granted.map(({ id }) => ({ permissionId: id })) },
        },
      },
    },
  });
  return { ...user, cookie: await signIn(user) };
}

/** Creates a client with a name through the API. */
export async function makeClient(owner: Person, values: object = {}) {
  const { status, body } = await call(owner.cookie, "POST", "/api/clients", {
    client: { name: `Client ${next()}`, ...values },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.client;
}

/** Creates the smallest form of a type through the API. */
export async function makeForm(owner: Person, values: object = {}, clientId?: number) {
  const form = minimalForm(clientId ?? (await makeClient(owner)).id, await formTypeId("Service"));
  const { status, body } = await call(owner.cookie, "POST", "/api/forms", { form: { ...form, ...values } });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.form;
}

export const minimalForm = (clientId: number, type: number) => ({
  clientId,
  formTypeId: type,
  serviceOn: "2026-03-04",
  serviceStatus: "Served" as (typeof SERVICE_STATUSES)[number],
  verbalConfirmation: true,
});

export const formTypeId = async (name: FormTypeName) =>
  (await db().formType.findUniqueOrThrow({ where: { name } })).id;

const idOf = async (reading: Promise<{ id: number }>) => (await reading).id;

/** Returns the values of a client with no field at its default, as sent to the API. */
export async function fullClient() {
  const ethnicity = await db().ethnicity.findUniqueOrThrow({ where: { name: "Other" } });
  return {
    name: "Rosa Álvarez-Núñez 🕊️",
    significantOther: true,
    relationshipToSurvivor: "Sister",
    verbalConfirmation: true,
    clientBiographicalEntryAttributes: {
      ageBracketId: await idOf(db().ageBracket.findFirstOrThrow({ orderBy: { id: "desc" } })),
      fictitiousName: true,
      address: "12 Elm Street",
      address2: "Apt. 4",
      city: "Erie",
      state: "PA",
      postalCode: "16501",
      phoneNumber: "(814) 555-0134 x22",
      safeToCall: true,
      dateOfBirth: "1984-02-29",
    },
    clientDemographicEntryAttributes: {
      ageBracketId: await idOf(db().ageBracket.findFirstOrThrow()),
      ethnicityId: ethnicity.id,
      ethnicityOther: "Romani",
      gender: "Transgender",
      ...Object.fromEntries(
        ["lgbt", "elderly", "remoteArea", "limitedEnglish", "immigrant", "homeless", "military"].map(
          (key) => [key, true],
        ),
      ),
      disability: true,
      disabilityPhysical: true,
      disabilityCognitive: true,
      disabilityMental: true,
      disabilityDeaf: true,
    },
  };
}

/** Returns a form of `type` with every section and field of that type filled, as sent to the API. */
export async function fullForm(type: FormTypeName, clientId: number, place: "M" | "CT" = "M") {
  const formType = await db().formType.findUniqueOrThrow({ where: { name: type } });
  const codes = await db().serviceCode.findMany({
    where: { formTypes: { some: { formTypeId: formType.id } } },
    orderBy: { id: "asc" },
  });
  return {
    ...minimalForm(clientId, formType.id),
    serviceStatus: "Partially Served",
    canineId: await idOf(
      db().canine.findUniqueOrThrow({ where: { name: formType.phone ? "None" : "Biscuit" } }),
    ),
    intakeFormAttributes: {
      referralSourceId: formType.intakeOnly ? null : await idOf(db().referralSource.findFirstOrThrow()),
      referralSourceName: formType.intakeOnly ? "" : "Officer Kim",
      ...(formType.phoneEntry && { phoneEntryAttributes: await phoneEntry() }),
      ...(formType.onCallAdvocacyEntry && {
        onCallAdvocacyEntryAttributes: {
          evaluationGiven: true,
          placeOfService: "Hospital",
          placeOfServiceName: "Saint Vincent",
        },
      }),
      ...(formType.legalAdvocacyEntry && { legalAdvocacyEntryAttributes: await legalEntry(place) }),
      ...(formType.survivorEntry && { survivorEntryAttributes: await survivorEntry() }),
    },
    ...(formType.serviceEntry && {
      serviceEntryAttributes: {
        otherService: "Childcare during the hearing",
        otherServiceMinutes: 25,
        serviceProvidedEntriesAttributes: codes.map((code, index) => ({
          serviceCodeId: code.id,
          magisterial: index % 2 === 0,
          minutes: 15 + index,
          referrals: `Referred to agency ${index}`,
          ...(code.videoconferencing && {
            videoconferencingEntryAttributes: { emergencyPfaGranted: false, reason: "Judge unreachable" },
          }),
          ...(code.hotelShelter && {
            hotelShelterEntryAttributes: {
              metNeeds: true,
              childrenUnderThirteen: 1,
              childrenThirteenToSeventeen: 2,
              adults: 3,
              reason: "Shelter full",
            },
          }),
        })),
      },
    }),
    serviceStatusEntryAttributes: {
      appropriateServices: true,
      languageCapacities: true,
      agencyCapacity: true,
      transportationOrAccess: true,
      culturallyAppropriate: true,
      disabilities: true,
      other: true,
    },
  };
}

async function phoneEntry() {
  return {
    survivorDrugsAlcohol: true,
    offenderDrugsAlcohol: true,
    survivorMentalHealth: true,
    offenderMentalHealth: true,
    currentPfaOrder: "Temporary",
    previousPfas: true,
    previousPfasDescription: "Two, 2019 and 2022",
    relatedArrests: true,
    relatedArrestsDescription: "Simple assault\nsecond line",
    guns: true,
    otherWeapons: true,
    lethalityAssessed: true,
    incomeAndEducationEntryAttributes: {
      educationLevelId: await idOf(db().educationLevel.findFirstOrThrow()),
      incomeLevelId: await idOf(db().incomeLevel.findFirstOrThrow()),
      tanf: true,
      ssiSsd: true,
    },
  };
}

async function legalEntry(placeOfService: "M" | "CT") {
  return {
    evaluationGiven: true,
    placeOfService,
    placeOfServiceName: "District Court 06-1-01",
    ...(placeOfService === "M"
      ? {
          magisterialEntryAttributes: {
            magisterialCourtOutcomeId: await idOf(db().magisterialCourtOutcome.findFirstOrThrow()),
            magisterialCourtOutcomeOther: "Continued twice",
            firstCriminalCourt: true,
          },
        }
      : {
          pfaCourtEntryAttributes: {
            pfaCourtContactTypeId: await idOf(db().pfaCourtContactType.findFirstOrThrow()),
            pfaGranted: true,
            firstPfa: true,
          },
        }),
  };
}

async function survivorEntry() {
  const victimizations = await db().secondaryVictimization.findMany({ take: 3, orderBy: { id: "asc" } });
  return {
    secondaryVictimizationIds: victimizations.map(({ id }) => id),
    secondaryVictimizationOther: "Doxxing",
    custodyStatusId: await idOf(db().custodyStatus.findFirstOrThrow()),
    offenderRelationshipId: await idOf(db().offenderRelationship.findFirstOrThrow()),
    hateCrimeCategoryId: await idOf(db().hateCrimeCategory.findFirstOrThrow()),
    childAges: "3, 7",
    numberOfChildren: 2,
    brainInjuryAssessed: true,
    brainInjuryEntryAttributes: {
      injuredHead: true,
      emergencyVisit: true,
      emergencyVisitOn: "2026-02-28",
      lostConsciousness: true,
      physicalSymptoms: true,
      sensoryChanges: true,
      psychologicalChanges: true,
    },
    offenderEntryAttributes: {
      name: "J. D.",
      threatenedPet: true,
      harmedPet: true,
      killedPet: true,
      petDescription: "A small brown dog",
    },
  };
}
