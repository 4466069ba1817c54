import type { Random } from "./demo-random";
import type { Lists, Rows } from "./demo-rows";

const DAY_MS = 86_400_000;
const OFFENDERS = [
  "",
  "Rex Nobody",
  "Pat Fictional",
  "Chris Invented",
  "Sam Madeup",
  "Alex Imaginary",
] as const;
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

/** Adds a form with the sections of its type, filled in as the clearing rules require. */
export function addForm(
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

/** Adds the section and the entry of its court; returns the court. */
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
      emergencyVisitOn: emergencyVisit ? new Date(serviceOn.getTime() - r.int(0, 20) * DAY_MS) : null,
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
