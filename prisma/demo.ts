import { db, type Tx, UNHURRIED } from "@/lib/database/client";
import { today } from "@/lib/fields/format";
import type { Prisma } from "@/lib/generated/prisma/client";
import type { FormTypeName } from "@/prisma/seed-data";

const CLIENTS = 40;
const DAYS = 180;
const DAY = 86_400_000;

/** Three forms a client: over five clients, and so over all, each form type comes equally often. */
const JOURNEYS: readonly FormTypeName[][] = [
  ["Phone", "On-Call Advocacy", "Legal Advocacy"],
  ["On-Call Advocacy", "Survivor", "Service"],
  ["Phone", "Legal Advocacy", "Service"],
  ["Phone", "Survivor", "Service"],
  ["On-Call Advocacy", "Survivor", "Legal Advocacy"],
];

const FIRST_NAMES = (
  "Amara Bao Carmen Dmitri Eun-ji Fatima Grace Hiroko Imani Jamal Keisha Leilani Mateo Nadia Oluchi Priya Quinn " +
  "Rosa Soraya Tomasz Uma Valentina Wanjiru Ximena Yusuf Zofia Aiyana Bronwyn Chidi Deepika Esperanza Farid " +
  "Giulia Hana Ingrid Josefina Kofi Lucía Mei Noor"
).split(" ");
const LAST_NAMES = (
  "Moonwhistle Papercastle Thimblewood Inkfeather Lanternby Cloudberry Teaspoonley Quillfeather Puddlesworth " +
  "Marblestone Kitewell Gingerbread Starbutton Mapletree-Sample Windowsill"
).split(" ");
const OFFENDERS = [
  "",
  "Rex Nobody",
  "Pat Fictional",
  "Chris Invented",
  "Sam Madeup",
  "Alex Imaginary",
] as const;
const CITIES = ["Samplesburg", "Exampleton", "Fictionville", "Mockingham"] as const;
const PLACES = {
  Other: ["Sample Street Church", "Exampleton Library"],
  Hotel: ["Hotel Imaginary", "Fictional Inn"],
  Hospital: ["Samplesburg General Hospital", "Mockingham Medical Center"],
  "Police Department": ["Exampleton Police", "Samplesburg Police, Zone 3"],
  M: ["Magisterial District Court 00-1-01", "Magisterial District Court 00-1-02"],
  CT: ["Sample County Family Court"],
  PF: ["Exampleton Police Station", "State Police, Troop Sample"],
} as const;
const REFERRALS = [
  "Gave the number of legal aid; appointment next Tuesday.",
  "Referred to the county assistance office.",
  "Warm hand-off to the housing coalition.",
  "Declined a referral for now.",
] as const;
const OTHER_SERVICES = [
  "Helped replace a lost bus pass",
  "Letter to the landlord",
  "Birthday gift for a child",
] as const;

/** Mulberry32: the same demo data every time, whatever the platform. */
function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  /** One of the items; undefined of an empty list. */
  function pick<T>(items: readonly [T, ...T[]]): T;
  function pick<T>(items: readonly T[]): T | undefined;
  function pick<T>(items: readonly T[]) {
    return items[int(0, items.length - 1)];
  }
  return {
    int,
    chance: (probability: number) => next() < probability,
    pick,
    /** `count` different items, in their own order. */
    some: <T>(items: readonly T[], count: number) =>
      items
        .map((item, place) => ({ item, place, key: next() }))
        .sort((a, b) => a.key - b.key)
        .slice(0, count)
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
  };
}
type Random = ReturnType<typeof random>;

/** The lists as they are: between the seed and the demo an administrator may have edited or emptied them. */
async function readLists(tx: Tx) {
  return {
    ageBrackets: await tx.ageBracket.findMany({ orderBy: { rangeStart: "asc" } }),
    incomeLevels: await tx.incomeLevel.findMany({ orderBy: { rangeStart: "asc" } }),
    educationLevels: await tx.educationLevel.findMany({ orderBy: { sortOrder: "asc" } }),
    ethnicities: await tx.ethnicity.findMany({ orderBy: { id: "asc" } }),
    offenderRelationships: await tx.offenderRelationship.findMany({ orderBy: { id: "asc" } }),
    custodyStatuses: await tx.custodyStatus.findMany({ orderBy: { id: "asc" } }),
    hateCrimeCategories: await tx.hateCrimeCategory.findMany({ orderBy: { id: "asc" } }),
    secondaryVictimizations: await tx.secondaryVictimization.findMany({ orderBy: { id: "asc" } }),
    outcomes: await tx.magisterialCourtOutcome.findMany({ orderBy: { id: "asc" } }),
    contactTypes: await tx.pfaCourtContactType.findMany({ orderBy: { id: "asc" } }),
    canines: await tx.canine.findMany({ orderBy: { id: "asc" } }),
    referralSources: await tx.referralSource.findMany({ orderBy: { id: "asc" } }),
    formTypes: await tx.formType.findMany({ orderBy: { id: "asc" } }),
    serviceCodes: await tx.serviceCode.findMany({ orderBy: { id: "asc" }, include: { formTypes: true } }),
  };
}
type Lists = Awaited<ReturnType<typeof readLists>>;
type Owner = { id: number };

type Rows = {
  clients: Prisma.ClientCreateManyInput[];
  biographical: Prisma.ClientBiographicalEntryCreateManyInput[];
  demographic: Prisma.ClientDemographicEntryCreateManyInput[];
  forms: Prisma.FormCreateManyInput[];
  intakes: Prisma.IntakeFormCreateManyInput[];
  phones: Prisma.PhoneEntryCreateManyInput[];
  incomes: Prisma.IncomeAndEducationEntryCreateManyInput[];
  onCalls: Prisma.OnCallAdvocacyEntryCreateManyInput[];
  legals: Prisma.LegalAdvocacyEntryCreateManyInput[];
  magisterials: Prisma.MagisterialEntryCreateManyInput[];
  pfaCourts: Prisma.PfaCourtEntryCreateManyInput[];
  survivors: Prisma.SurvivorEntryCreateManyInput[];
  victimizations: Prisma.SurvivorEntrySecondaryVictimizationCreateManyInput[];
  brainInjuries: Prisma.BrainInjuryEntryCreateManyInput[];
  offenders: Prisma.OffenderEntryCreateManyInput[];
  services: Prisma.ServiceEntryCreateManyInput[];
  provided: Prisma.ServiceProvidedEntryCreateManyInput[];
  videoconferences: Prisma.VideoconferencingEntryCreateManyInput[];
  hotels: Prisma.HotelShelterEntryCreateManyInput[];
  statuses: Prisma.ServiceStatusEntryCreateManyInput[];
};

const newRows = (): Rows => ({
  clients: [],
  biographical: [],
  demographic: [],
  forms: [],
  intakes: [],
  phones: [],
  incomes: [],
  onCalls: [],
  legals: [],
  magisterials: [],
  pfaCourts: [],
  survivors: [],
  victimizations: [],
  brainInjuries: [],
  offenders: [],
  services: [],
  provided: [],
  videoconferences: [],
  hotels: [],
  statuses: [],
});

/**
 * Fills an embedded database in which no client was ever made with 40 invented clients and 120 forms of the
 * last six months, owned by the accounts there are. Removed demo data does not come back at the next start.
 * Processes that start together take turns (lib/operate/prepare.ts).
 */
export async function seedDemo(): Promise<void> {
  await db().$transaction(async (tx) => {
    const [sequence] = await tx.$queryRaw<{ is_called: boolean }[]>`SELECT is_called FROM clients_id_seq`;
    const [user, ...others] = await tx.user.findMany({ orderBy: { id: "asc" }, select: { id: true } });
    if (sequence?.is_called || !user) return;
    await write(tx, demoRows(await readLists(tx), [user, ...others], new Date(`${today()}T00:00:00Z`)));
  }, UNHURRIED);
}

/** Ids are chosen here: a form's own entries have the id of the form, so no insert waits for another's ids. */
function demoRows(lists: Lists, users: readonly [Owner, ...Owner[]], now: Date): Rows {
  const rows = newRows();
  const r = random(2026);
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY);

  const starts = Array.from({ length: CLIENTS }, () => r.int(2, DAYS)).sort((a, b) => b - a);
  const visits = starts.flatMap((start, index) => {
    const clientId = index + 1;
    const userId = r.pick(users).id;
    addClient(rows, lists, r, { id: clientId, userId, createdOn: daysAgo(start) });
    const later = [r.int(0, start), r.int(0, start)].sort((a, b) => b - a);
    const journey = JOURNEYS[index % JOURNEYS.length] ?? [];
    return [start, ...later].map((days, step) => ({ clientId, userId, days, type: journey[step] }));
  });

  visits.sort((a, b) => b.days - a.days);
  visits.forEach(({ clientId, userId, days, type }, index) => {
    const formType = lists.formTypes.find(({ name }) => name === type);
    if (!formType) return;
    const reconciled = r.chance(index < visits.length / 2 ? 0.85 : 0.15);
    addForm(rows, lists, r, formType, {
      id: index + 1,
      clientId,
      userId,
      serviceOn: daysAgo(days),
      reconciled,
    });
  });
  return rows;
}

function addClient(
  rows: Rows,
  lists: Lists,
  r: Random,
  own: { id: number; userId: number; createdOn: Date },
) {
  const { id } = own;
  const firstName = FIRST_NAMES[(id - 1) % FIRST_NAMES.length];
  const lastName = LAST_NAMES[(id * 7) % LAST_NAMES.length];
  const significantOther = r.chance(0.15);
  rows.clients.push({
    ...own,
    name: `${firstName} ${lastName}`,
    significantOther,
    relationshipToSurvivor: significantOther ? r.pick(["Mother", "Brother", "Adult daughter", "Friend"]) : "",
    verbalConfirmation: r.chance(0.9),
  });

  const age = r.int(18, 74);
  const dateOfBirth = new Date(own.createdOn.getTime() - r.int(0, 360) * DAY);
  dateOfBirth.setUTCFullYear(dateOfBirth.getUTCFullYear() - age);
  const ageBracketId = lists.ageBrackets.findLast(({ rangeStart }) => rangeStart <= age)?.id;
  const reachable = r.chance(0.85);
  rows.biographical.push({
    clientId: id,
    ageBracketId,
    fictitiousName: r.chance(0.1),
    address: `${r.int(1, 999)} Example Street`,
    address2: r.chance(0.3) ? `Apartment ${r.int(1, 20)}` : "",
    city: r.pick(CITIES),
    state: "PA",
    postalCode: "00000",
    phoneNumber: reachable ? `(412) 555-01${String(id).padStart(2, "0")}` : "",
    safeToCall: reachable && r.chance(0.7),
    dateOfBirth,
  });

  const ethnicity = r.pick(lists.ethnicities);
  const disability = r.chance(0.3);
  const disabilityPhysical = disability && r.chance(0.5);
  rows.demographic.push({
    clientId: id,
    ageBracketId,
    ethnicityId: ethnicity?.id,
    ethnicityOther: ethnicity?.name === "Other" ? "Prefers to describe in person" : "",
    gender: r.pick(["Female", "Female", "Female", "Female", "Male", "Transgender", "Other", "Unknown"]),
    lgbt: r.chance(0.15),
    elderly: age >= 60,
    remoteArea: r.chance(0.2),
    limitedEnglish: r.chance(0.15),
    immigrant: r.chance(0.15),
    homeless: r.chance(0.2),
    military: r.chance(0.08),
    disability,
    disabilityPhysical,
    disabilityCognitive: disability && r.chance(0.25),
    disabilityMental: disability && (!disabilityPhysical || r.chance(0.3)),
    disabilityDeaf: disabilityPhysical && r.chance(0.2),
  });
}

function addForm(
  rows: Rows,
  lists: Lists,
  r: Random,
  formType: Lists["formTypes"][number],
  own: { id: number; clientId: number; userId: number; serviceOn: Date; reconciled: boolean },
) {
  const { id } = own;
  const noCanine = lists.canines.find(({ name }) => name === "None");
  const canine = formType.phone || r.chance(0.6) ? noCanine : r.pick(lists.canines);
  const serviceStatus = r.pick(["Served", "Served", "Served", "Served", "Partially Served", "Not Served"]);
  rows.forms.push({
    ...own,
    formTypeId: formType.id,
    serviceStatus,
    verbalConfirmation: r.chance(0.9),
    canineId: canine?.id,
  });

  const source = formType.intakeOnly ? undefined : r.pick(lists.referralSources);
  rows.intakes.push({
    id,
    formId: id,
    referralSourceId: source?.id,
    referralSourceName:
      source && r.chance(0.4) ? r.pick(["Officer Sample", "Dr. Example", "Ms. Invented"]) : "",
  });

  if (serviceStatus !== "Served") {
    const reason = r.int(0, 6);
    rows.statuses.push({
      formId: id,
      appropriateServices: reason === 0,
      languageCapacities: reason === 1,
      agencyCapacity: reason === 2 || r.chance(0.3),
      transportationOrAccess: reason === 3 || r.chance(0.3),
      culturallyAppropriate: reason === 4,
      disabilities: reason === 5,
      other: reason === 6,
    });
  }
  if (formType.phoneEntry) addPhone(rows, lists, r, id);
  if (formType.onCallAdvocacyEntry) {
    const placeOfService = r.pick(["Other", "Hotel", "Hospital", "Police Department"] as const);
    rows.onCalls.push({
      intakeFormId: id,
      evaluationGiven: r.chance(0.6),
      placeOfService,
      placeOfServiceName: r.pick(PLACES[placeOfService]),
    });
  }
  const court = formType.legalAdvocacyEntry && addLegal(rows, lists, r, id);
  if (formType.survivorEntry) addSurvivor(rows, lists, r, id, own.serviceOn);
  if (formType.serviceEntry) addServices(rows, lists, r, id, formType.id, court === "M");
}

function addPhone(rows: Rows, lists: Lists, r: Random, id: number) {
  const previousPfas = r.chance(0.4);
  const relatedArrests = r.chance(0.35);
  rows.phones.push({
    id,
    intakeFormId: id,
    survivorDrugsAlcohol: r.chance(0.15),
    offenderDrugsAlcohol: r.chance(0.45),
    survivorMentalHealth: r.chance(0.3),
    offenderMentalHealth: r.chance(0.3),
    currentPfaOrder: r.pick(["None", "None", "Temporary", "Final"]),
    previousPfas,
    previousPfasDescription: previousPfas ? `Granted in ${r.int(2018, 2024)}, expired.` : "",
    relatedArrests,
    relatedArrestsDescription: relatedArrests ? "Simple assault; the charges were withdrawn." : "",
    guns: r.chance(0.25),
    otherWeapons: r.chance(0.2),
    lethalityAssessed: r.chance(0.6),
  });
  rows.incomes.push({
    phoneEntryId: id,
    educationLevelId: r.pick(lists.educationLevels)?.id,
    incomeLevelId: r.pick(lists.incomeLevels)?.id,
    tanf: r.chance(0.2),
    ssiSsd: r.chance(0.15),
  });
}

/** Adds the section with the entry of its court, and answers which court it was (spec §4). */
function addLegal(rows: Rows, lists: Lists, r: Random, id: number) {
  const placeOfService = r.pick(["M", "M", "CT", "CT", "PF"] as const);
  rows.legals.push({
    id,
    intakeFormId: id,
    evaluationGiven: r.chance(0.6),
    placeOfService,
    placeOfServiceName: r.pick(PLACES[placeOfService]),
  });
  const outcome = r.pick(lists.outcomes);
  if (placeOfService === "M" && outcome) {
    rows.magisterials.push({
      legalAdvocacyEntryId: id,
      magisterialCourtOutcomeId: outcome.id,
      magisterialCourtOutcomeOther: outcome.name === "Other" ? "Transferred to another district" : "",
      firstCriminalCourt: r.chance(0.5),
    });
  }
  const contactType = r.pick(lists.contactTypes);
  if (placeOfService === "CT" && contactType) {
    rows.pfaCourts.push({
      legalAdvocacyEntryId: id,
      pfaCourtContactTypeId: contactType.id,
      pfaGranted: r.chance(0.6),
      firstPfa: r.chance(0.5),
    });
  }
  return placeOfService;
}

function addSurvivor(rows: Rows, lists: Lists, r: Random, id: number, serviceOn: Date) {
  const offenderRelationship = r.pick(lists.offenderRelationships);
  if (!offenderRelationship) return;
  const childAges = Array.from({ length: r.int(0, 3) }, () => r.int(0, 17)).sort((a, b) => b - a);
  const brainInjuryAssessed = r.chance(0.5);
  rows.survivors.push({
    id,
    intakeFormId: id,
    offenderRelationshipId: offenderRelationship.id,
    custodyStatusId: r.pick(lists.custodyStatuses)?.id,
    hateCrimeCategoryId: r.chance(0.1) ? r.pick(lists.hateCrimeCategories)?.id : null,
    secondaryVictimizationOther: r.chance(0.1) ? "Threats against a family member" : "",
    childAges: childAges.join(", "),
    numberOfChildren: childAges.length,
    brainInjuryAssessed,
  });
  for (const { id: secondaryVictimizationId } of r.some(lists.secondaryVictimizations, r.int(0, 3))) {
    rows.victimizations.push({ survivorEntryId: id, secondaryVictimizationId });
  }
  if (brainInjuryAssessed) {
    const emergencyVisit = r.chance(0.4);
    rows.brainInjuries.push({
      survivorEntryId: id,
      injuredHead: emergencyVisit || r.chance(0.4),
      emergencyVisit,
      emergencyVisitOn: emergencyVisit ? new Date(serviceOn.getTime() - r.int(0, 20) * DAY) : null,
      lostConsciousness: r.chance(0.2),
      physicalSymptoms: r.chance(0.4),
      sensoryChanges: r.chance(0.3),
      psychologicalChanges: r.chance(0.4),
    });
  }
  const killedPet = r.chance(0.05);
  const harmedPet = killedPet || r.chance(0.1);
  const threatenedPet = harmedPet || r.chance(0.2);
  rows.offenders.push({
    survivorEntryId: id,
    name: r.pick(OFFENDERS),
    threatenedPet,
    harmedPet,
    killedPet,
    petDescription: threatenedPet ? r.pick(["Gray tabby cat", "Old beagle", "Two rabbits"]) : "",
  });
}

function addServices(
  rows: Rows,
  lists: Lists,
  r: Random,
  id: number,
  formTypeId: number,
  magisterial: boolean,
) {
  const other = r.chance(0.15);
  rows.services.push({
    id,
    formId: id,
    otherService: other ? r.pick(OTHER_SERVICES) : "",
    otherServiceMinutes: other ? r.int(1, 6) * 5 : 0,
  });
  const offered = lists.serviceCodes.filter(
    (code) =>
      code.formTypes.some((offer) => offer.formTypeId === formTypeId) &&
      (!magisterial || code.canBeMagistrate),
  );
  for (const code of r.some(offered, r.int(2, 5))) {
    const providedId = rows.provided.length + 1;
    rows.provided.push({
      id: providedId,
      serviceEntryId: id,
      serviceCodeId: code.id,
      magisterial,
      minutes: r.int(1, 18) * 5,
      referrals: code.hasReferral && r.chance(0.7) ? r.pick(REFERRALS) : "",
    });
    if (code.videoconferencing) {
      const emergencyPfaGranted = r.chance(0.6);
      rows.videoconferences.push({
        serviceProvidedEntryId: providedId,
        emergencyPfaGranted,
        reason: emergencyPfaGranted ? "" : "The judge asked for a petition at the courthouse in the morning.",
      });
    }
    if (code.hotelShelter) {
      const metNeeds = r.chance(0.75);
      rows.hotels.push({
        serviceProvidedEntryId: providedId,
        metNeeds,
        childrenUnderThirteen: r.int(0, 2),
        childrenThirteenToSeventeen: r.int(0, 1),
        adults: 1,
        reason: metNeeds ? "" : "No room that takes pets was free.",
      });
    }
  }
}

/** Parents first. The sequences of the tables whose ids were chosen are moved past them. */
async function write(tx: Tx, rows: Rows) {
  await tx.client.createMany({ data: rows.clients });
  await tx.clientBiographicalEntry.createMany({ data: rows.biographical });
  await tx.clientDemographicEntry.createMany({ data: rows.demographic });
  await tx.form.createMany({ data: rows.forms });
  await tx.serviceStatusEntry.createMany({ data: rows.statuses });
  await tx.intakeForm.createMany({ data: rows.intakes });
  await tx.phoneEntry.createMany({ data: rows.phones });
  await tx.incomeAndEducationEntry.createMany({ data: rows.incomes });
  await tx.onCallAdvocacyEntry.createMany({ data: rows.onCalls });
  await tx.legalAdvocacyEntry.createMany({ data: rows.legals });
  await tx.magisterialEntry.createMany({ data: rows.magisterials });
  await tx.pfaCourtEntry.createMany({ data: rows.pfaCourts });
  await tx.survivorEntry.createMany({ data: rows.survivors });
  await tx.survivorEntrySecondaryVictimization.createMany({ data: rows.victimizations });
  await tx.brainInjuryEntry.createMany({ data: rows.brainInjuries });
  await tx.offenderEntry.createMany({ data: rows.offenders });
  await tx.serviceEntry.createMany({ data: rows.services });
  await tx.serviceProvidedEntry.createMany({ data: rows.provided });
  await tx.videoconferencingEntry.createMany({ data: rows.videoconferences });
  await tx.hotelShelterEntry.createMany({ data: rows.hotels });
  await tx.$queryRaw`
    SELECT setval('forms_id_seq', (SELECT max(id) FROM forms)),
      setval('intake_forms_id_seq', (SELECT max(id) FROM intake_forms)),
      setval('phone_entries_id_seq', (SELECT max(id) FROM phone_entries)),
      setval('legal_advocacy_entries_id_seq', (SELECT max(id) FROM legal_advocacy_entries)),
      setval('survivor_entries_id_seq', (SELECT max(id) FROM survivor_entries)),
      setval('service_entries_id_seq', (SELECT max(id) FROM service_entries)),
      setval('service_provided_entries_id_seq', (SELECT max(id) FROM service_provided_entries)),
      setval('clients_id_seq', (SELECT max(id) FROM clients))`;
}
