// What may leave the machine in an error report (contract §6), as lists of what is allowed: whatever nobody
// listed is masked. Error messages are never in it, since they quote the values they failed on.

export const MASKED = "[masked]";

/** Fields that say nothing about a person: their numbers and booleans are shown, and the words listed. */
const SHOWN: Record<string, readonly string[]> = {
  formTypeId: [],
  serviceStatus: ["Served", "Partially Served", "Not Served"],
  verbalConfirmation: [],
  reconciled: [],
  canineId: [],
  lockVersion: [],
  referralSourceId: [],
  evaluationGiven: [],
  placeOfService: ["M", "CT", "PF", "Other", "Hotel", "Hospital", "Police Department"],
  currentPfaOrder: ["None", "Temporary", "Final"],
  pfaCourtContactTypeId: [],
  magisterialCourtOutcomeId: [],
  serviceCodeId: [],
  magisterial: [],
  minutes: [],
  otherServiceMinutes: [],
  emergencyPfaGranted: [],
  metNeeds: [],
  appropriateServices: [],
  languageCapacities: [],
  agencyCapacity: [],
  transportationOrAccess: [],
  culturallyAppropriate: [],
  disabilities: [],
  other: [],
  _destroy: [],
  canBeMagistrate: [],
  onCallMainType: [],
  hasReferral: [],
  formTypeIds: [],
  permissionIds: [],
  roleId: [],
  rangeStart: [],
  sortOrder: [],
};

/** Fields whose name alone may be known; a name that is in neither list could itself be somebody's words. */
const NAMED = new Set(
  `client form profile user role draft login formId clientId serviceOn canine
  clientBiographicalEntry clientDemographicEntry intakeForm serviceEntry serviceStatusEntry serviceProvidedEntries
  videoconferencingEntry hotelShelterEntry phoneEntry incomeAndEducationEntry legalAdvocacyEntry magisterialEntry
  pfaCourtEntry survivorEntry brainInjuryEntry offenderEntry onCallAdvocacyEntry
  ageBracket canines custodyStatus educationLevel ethnicity hateCrimeCategory incomeLevel magisterialCourtOutcome
  offenderRelationship pfaCourtContactType secondaryVictimization referralSource serviceCode
  id name code description firstName lastName email password passwordConfirmation token search content
  significantOther relationshipToSurvivor ageBracketId fictitiousName address address2 city state postalCode
  phoneNumber safeToCall dateOfBirth ethnicityId ethnicityOther gender lgbt elderly remoteArea limitedEnglish
  immigrant homeless military disability disabilityPhysical disabilityCognitive disabilityMental disabilityDeaf
  referralSourceName placeOfServiceName magisterialCourtOutcomeOther firstCriminalCourt pfaGranted firstPfa
  survivorDrugsAlcohol offenderDrugsAlcohol survivorMentalHealth offenderMentalHealth previousPfas
  previousPfasDescription relatedArrests relatedArrestsDescription guns otherWeapons lethalityAssessed
  educationLevelId incomeLevelId tanf ssiSsd
  secondaryVictimizationIds secondaryVictimizationOther custodyStatusId offenderRelationshipId hateCrimeCategoryId
  childAges numberOfChildren brainInjuryAssessed injuredHead emergencyVisit emergencyVisitOn lostConsciousness
  physicalSymptoms sensoryChanges psychologicalChanges threatenedPet harmedPet killedPet petDescription
  otherService referrals reason childrenUnderThirteen childrenThirteenToSeventeen adults`.split(/\s+/),
);

const isKnown = (name: string) => Object.hasOwn(SHOWN, name) || NAMED.has(name.replace(/Attributes$/, ""));

/** A field's path, as validation names it, without the names nobody listed: `form.intakeForm.[masked]`. */
export const maskPath = (path: string): string =>
  path
    .split(".")
    .map((part) => (/^\d{1,4}$/.test(part) || isKnown(part) ? part : MASKED))
    .join(".");

/** Not a telephone number, say. */
const isSmall = (value: unknown) => typeof value === "number" && Math.abs(value) < 1_000_000;

/** A submitted body with its structure, and of its values only those that say nothing about a person. */
export function maskBody(value: unknown, field = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => maskBody(item, field));
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, inner], index) =>
      isKnown(name) ? [name, maskBody(inner, name)] : [`${MASKED} ${index + 1}`, MASKED],
    );
    return Object.fromEntries(entries);
  }
  if (value === null || value === "") return value;
  const words = Object.hasOwn(SHOWN, field) ? SHOWN[field] : undefined;
  const isShown =
    words &&
    (typeof value === "string" ? words.includes(value) : typeof value === "boolean" || isSmall(value));
  return isShown ? value : MASKED;
}

/** A place in our own code: a path below the project's folder or below the site's address. */
export type Frame = { file: string; function?: string; line: number; column: number };

const MOST_FRAMES = 50;
/** `    at async name (place:1:2)` of V8, `name@place:1:2` of the other browsers. */
const PLACE =
  /^(?:\s+at (?:async )?(?:(?:new )?([\w$.<>]{1,100})(?: \[as \w+\])? \()?|[^@\s]*@)(\S*?):(\d{1,7}):(\d{1,7})\)?$/;

/**
 * The frames of an error's stack, the innermost first, without its message. `root` is what a place of ours begins
 * with (a folder, or the site's origin) and is cut off; any other place becomes `[masked]`.
 */
export function framesOf({ stack, message }: { stack?: string; message: string }, root: string): Frame[] {
  const lines = (stack ?? "").replace(message, "").split("\n");
  return lines
    .slice(0, 2 * MOST_FRAMES)
    .flatMap((text) => {
      const [, name, place = "", line, column] = PLACE.exec(text) ?? [];
      if (!line) return [];
      const path = place.replace(/^file:\/\//, "");
      const file = path.startsWith(root)
        ? path.slice(root.length).replace(/^\//, "").split("?")[0]
        : undefined;
      const isOurs = file && /^[\w@.,()[\]~/+-]{1,300}\.[cm]?[jt]sx?$/.test(file);
      const at = { line: Number(line), column: Number(column) };
      return [isOurs ? { file, ...(name && { function: name }), ...at } : { file: MASKED, ...at }];
    })
    .slice(0, MOST_FRAMES);
}

/** What kind of error it is: the name of its class, which is code and not data. */
export const errorName = (error: unknown): string =>
  error instanceof Error && /^[A-Z]\w{0,60}$/.test(error.name) ? error.name : "Error";
