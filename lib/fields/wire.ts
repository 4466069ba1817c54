/**
 * The one codec of nested objects (contract §1): answered under their plain names, accepted under `…Attributes`.
 */
const NESTED = new Set([
  "clientBiographicalEntry",
  "clientDemographicEntry",
  "intakeForm",
  "phoneEntry",
  "incomeAndEducationEntry",
  "onCallAdvocacyEntry",
  "legalAdvocacyEntry",
  "pfaCourtEntry",
  "magisterialEntry",
  "survivorEntry",
  "brainInjuryEntry",
  "offenderEntry",
  "serviceEntry",
  "serviceProvidedEntries",
  "videoconferencingEntry",
  "hotelShelterEntry",
  "serviceStatusEntry",
]);
const SUFFIX = "Attributes";

/** Whether the name is a nested object's, by its plain name. */
export const isNested = (name: string): boolean => NESTED.has(name);

const plainName = (key: string) =>
  key.endsWith(SUFFIX) && NESTED.has(key.slice(0, -SUFFIX.length)) ? key.slice(0, -SUFFIX.length) : null;

/** Whether the value is an object with keys of its own, not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function rename(value: unknown, nameOf: (key: string) => string | null): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, nameOf));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const name = nameOf(key);
      return name === null ? [] : [[name, rename(inner, nameOf)]];
    }),
  );
}

/** A request body under plain names; a nested object that came without its suffix is dropped, as any unknown key. */
export const fromWire = (body: unknown): unknown =>
  rename(body, (key) => (NESTED.has(key) ? null : (plainName(key) ?? key)));

/** Values under plain names as a request body. */
export const toWire = (values: unknown): unknown =>
  rename(values, (key) => (NESTED.has(key) ? key + SUFFIX : key));

/** `form.intakeForm.referralSourceId` → `form.intakeFormAttributes.referralSourceId`: how a caller knows the field. */
export const wirePath = (path: string): string =>
  path
    .split(".")
    .map((key) => (NESTED.has(key) ? key + SUFFIX : key))
    .join(".");

/** The way back: the screen's own path of a field that the server complained about. */
export const plainPath = (path: string): string =>
  path
    .split(".")
    .map((key) => plainName(key) ?? key)
    .join(".");
