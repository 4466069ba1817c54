import * as z from "zod/mini";
import { inAllReports, inBothReports } from "@/lib/clients/used-in";
import { DECLARED_CLIENT_NAME, GENDERS } from "@/lib/clients/words";
import { custom } from "@/lib/core/fields/custom";
import { addRoot } from "@/lib/core/fields/facts";
import { unfitTexts } from "@/lib/core/fields/masked";
import { missingAnswers } from "@/lib/core/fields/required";
import { withoutUnasked } from "@/lib/core/fields/shapes";
import { INT_MAX, id } from "@/lib/core/fields/validation";
import {
  choice,
  day,
  entry,
  flag,
  lookup,
  optionalInPut,
  record,
  text,
  version,
} from "@/lib/core/fields/vocabulary";
import { parseDate } from "@/lib/core/text/format";

/** The 50 US two-letter codes, sorted, no DC. */
export const STATES = (
  "AK AL AR AZ CA CO CT DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK " +
  "OR PA RI SC SD TN TX UT VA VT WA WI WV WY"
).split(" ");

const biographicalSchema = entry("Client Biographical", "client_biographical_entries", {
  ageBracketId: lookup("age_brackets", "Age Bracket", inAllReports),
  fictitiousName: flag("Fictitious Name", { alwaysShown: true }),
  address: text("Address"),
  address2: text("Address 2"),
  city: text("City"),
  state: choice(STATES, "State", { blank: "", sensitive: true }),
  postalCode: text("Postal Code", { letters: 10 }),
  phoneNumber: text("Phone Number", { mask: "phone" }),
  safeToCall: flag("Safe to Call", { alwaysShown: true }),
  dateOfBirth: day("Date of Birth", inAllReports),
});

const demographicSchema = entry("Client Demographics", "client_demographic_entries", {
  ageBracketId: lookup("age_brackets", "Age Bracket", inAllReports),
  ethnicityId: lookup("ethnicities", "Ethnicity", inAllReports),
  ethnicityOther: text("Ethnicity Other", { beneath: "ethnicityId" }),
  gender: choice(GENDERS, "Gender", { blank: "Unknown", ...inAllReports }),
  lgbt: flag("LGBT", inBothReports),
  elderly: flag("Elderly"),
  remoteArea: flag("Remote Area"),
  limitedEnglish: flag("Limited English", inBothReports),
  immigrant: flag("Immigrant", inBothReports),
  homeless: flag("Homeless", inBothReports),
  military: flag("Military", inBothReports),
  disability: flag("Disability", inBothReports),
  disabilityPhysical: flag("Physical Disability", { dependsOn: { boxes: ["disability"] } }),
  disabilityCognitive: flag("Cognitive Disability", { dependsOn: { boxes: ["disability"] } }),
  disabilityMental: flag("Mental Disability", { dependsOn: { boxes: ["disability"] } }),
  disabilityDeaf: flag("Deaf", { dependsOn: { boxes: ["disabilityPhysical"] }, ...inBothReports }),
});

export type Biographical = NonNullable<z.output<typeof biographicalSchema>>;
export type Demographic = NonNullable<z.output<typeof demographicSchema>>;

export const biographical = { schema: biographicalSchema };

/** Demographic entry with its clearing rules. */
export const demographic = {
  schema: demographicSchema,
  /** True if the chosen ethnicity needs a description, that is, if it is the one named Other. */
  showsEthnicityOther: (ethnicityId: number | null, otherId: number | null) =>
    ethnicityId !== null && ethnicityId === otherId,
  /** Clears the fields that their boxes do not ask, and the description unless Other is chosen. */
  clear: (entry: Demographic, otherEthnicity: number | null): Demographic => ({
    ...withoutUnasked(demographicSchema, entry),
    ...(!demographic.showsEthnicityOther(entry.ethnicityId, otherEthnicity) && { ethnicityOther: "" }),
  }),
};

/**
 * Returns the id of the age bracket on a day (`YYYY-MM-DD`) for a date of birth. Null if either is not a date, or the
 * date of birth is later.
 */
export function ageBracketAt(
  brackets: readonly { id: number; rangeStart: number }[],
  dateOfBirth: string | null,
  day: string,
): number | null {
  const born = parseDate(dateOfBirth ?? "");
  const on = parseDate(day);
  if (!born || !on || born > on) return null;
  const beforeBirthday = on.slice(5) < born.slice(5) ? 1 : 0;
  const age = Number(on.slice(0, 4)) - Number(born.slice(0, 4)) - beforeBirthday;
  const reached = brackets.filter(({ rangeStart }) => rangeStart <= age);
  return reached.sort((a, b) => a.rangeStart - b.rangeStart).at(-1)?.id ?? null;
}

/** The name of the ethnicity that needs a description. */
export const OTHER_ETHNICITY = "Other";

/** Returns the id of the ethnicity named Other, or null. */
export const otherEthnicityId = (ethnicities: readonly { id: number; name: string }[]): number | null =>
  ethnicities.find(({ name }) => name.toLowerCase() === OTHER_ETHNICITY.toLowerCase())?.id ?? null;

export const clientSchema = record("Client", "clients", {
  name: text(DECLARED_CLIENT_NAME, { required: true }),
  significantOther: optionalInPut(flag("Significant Other", { required: true, usedIn: "PCCD" })),
  relationshipToSurvivor: optionalInPut(text("Relationship to Survivor")),
  verbalConfirmation: optionalInPut(
    flag("Verbal Confirmation", { required: true, inErrorReports: true, alwaysShown: true }),
  ),
  lockVersion: version(),
  custom: custom("client"),
  clientBiographicalEntry: biographicalSchema,
  clientDemographicEntry: demographicSchema,
});

addRoot("client", clientSchema);

/** A client that a merge removes, as it was read. */
export const mergedSchema = z.object({
  id: id(),
  lockVersion: z.int().check(z.minimum(0), z.maximum(INT_MAX)),
  /**
   * True if its phone number is kept, false for that of the remaining record: for a caller who was not shown the numbers.
   * Without it, the number in `client` is.
   */
  givesPhoneNumber: z.optional(z.boolean()),
});

/** A client as sent; fields missing from an update keep their values. */
export type ClientInput = z.output<typeof clientSchema>;

/**
 * Returns the fields that the organization requires on a day and that lack a value, as `{path: problem}`. A field that
 * `stored` lacked too is no change, and therefore left out.
 */
export function missingClientFields(
  client: Pick<ClientInput, "clientDemographicEntry">,
  {
    day,
    otherEthnicity,
    stored,
  }: { day: string | null; otherEthnicity: number | null; stored?: object | null },
): Record<string, string> {
  const missing = missingAnswers(clientSchema, client, { path: "client", day, stored });
  const entry = client.clientDemographicEntry;
  if (entry && !demographic.showsEthnicityOther(entry.ethnicityId, otherEthnicity))
    delete missing["client.clientDemographicEntry.ethnicityOther"];
  return missing;
}

/** Returns the texts of a client that do not fit their masks, as `{path: problem}`; one of the `stored` clients may have it. */
export const unfitClientTexts = (
  client: object,
  stored: readonly (object | null | undefined)[],
): Record<string, string> => unfitTexts(clientSchema, client, { path: "client", stored });
