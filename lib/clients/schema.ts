import { z } from "zod";
import { listQuery, userFilter } from "@/lib/api/paging";
import {
  flag,
  id,
  lockVersion,
  optionalId,
  optionalPastDate,
  requiredText,
  text,
} from "@/lib/fields/validation";
import { fromWire } from "@/lib/fields/wire";

export const GENDERS = ["Unknown", "Male", "Female", "Transgender", "Other"] as const;

/** The 50 US two-letter codes, sorted, no DC (spec §9). */
export const STATES = (
  "AK AL AR AZ CA CO CT DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK " +
  "OR PA RI SC SD TN TX UT VA VT WA WI WV WY"
).split(" ");

const biographicalSchema = z.object({
  id: id().optional(),
  ageBracketId: optionalId(),
  fictitiousName: flag(),
  address: text(),
  address2: text(),
  city: text(),
  state: z
    .enum(["", ...STATES])
    .nullish()
    .transform((value) => value ?? ""),
  postalCode: text(),
  phoneNumber: text(),
  safeToCall: flag(),
  dateOfBirth: optionalPastDate(),
});

const demographicSchema = z.object({
  id: id().optional(),
  ageBracketId: optionalId(),
  ethnicityId: optionalId(),
  ethnicityOther: text(),
  gender: z
    .enum(GENDERS)
    .nullish()
    .transform((value) => value ?? "Unknown"),
  lgbt: flag(),
  elderly: flag(),
  remoteArea: flag(),
  limitedEnglish: flag(),
  immigrant: flag(),
  homeless: flag(),
  military: flag(),
  disability: flag(),
  disabilityPhysical: flag(),
  disabilityCognitive: flag(),
  disabilityMental: flag(),
  disabilityDeaf: flag(),
});

type Demographic = z.output<typeof demographicSchema>;

export const biographical = {
  schema: biographicalSchema,
  defaults: () => biographicalSchema.parse({}),
};

/** Demographic entry (spec §3) with its clearing rules (spec §4). */
export const demographic = {
  schema: demographicSchema,
  defaults: () => demographicSchema.parse({}),
  /** Whether the chosen ethnicity asks for a text: the one named Other. */
  showsEthnicityOther: (ethnicityId: number | null, otherId: number | null) =>
    ethnicityId !== null && ethnicityId === otherId,
  /**
   * Without a disability no kind of it; deaf only with physical, and ticking physical starts with deaf
   * unticked because it was cleared before; the other ethnicity only while Other is chosen.
   */
  clear: (entry: Demographic, otherEthnicity: number | null): Demographic => ({
    ...entry,
    disabilityPhysical: entry.disability && entry.disabilityPhysical,
    disabilityCognitive: entry.disability && entry.disabilityCognitive,
    disabilityMental: entry.disability && entry.disabilityMental,
    disabilityDeaf: entry.disability && entry.disabilityPhysical && entry.disabilityDeaf,
    ethnicityOther: demographic.showsEthnicityOther(entry.ethnicityId, otherEthnicity)
      ? entry.ethnicityOther
      : "",
  }),
};

/** The id of the ethnicity named Other. */
export const otherEthnicityId = (ethnicities: readonly { id: number; name: string }[]): number | null =>
  ethnicities.find(({ name }) => name.toLowerCase() === "other")?.id ?? null;

export const clientSchema = z.object({
  name: requiredText(),
  significantOther: z.boolean().optional(),
  relationshipToSurvivor: text().optional(),
  verbalConfirmation: z.boolean().optional(),
  lockVersion: lockVersion(),
  clientBiographicalEntry: biographicalSchema.nullish(),
  clientDemographicEntry: demographicSchema.nullish(),
});

/** A client as sent: what is left out of an update stays as it is. */
export type ClientInput = z.output<typeof clientSchema>;

/** The body of `POST /api/clients` and `PUT /api/clients/{id}`. */
export const clientBody = z.preprocess(fromWire, z.object({ client: clientSchema }));

/** A client as answered (spec §3). */
export type Client = {
  id: number;
  name: string;
  significantOther: boolean;
  relationshipToSurvivor: string;
  verbalConfirmation: boolean;
  userId: number;
  user: { id: number; firstName: string; lastName: string };
  /** `YYYY-MM-DD` */
  createdOn: string;
  lockVersion: number;
  clientBiographicalEntry: (z.output<typeof biographicalSchema> & { id: number }) | null;
  clientDemographicEntry: (Demographic & { id: number }) | null;
};

/** A client as a row of the list; no more than the list shows. */
export type ClientListItem = Pick<Client, "id" | "name" | "userId" | "user" | "createdOn">;

/** A client as found by name: enough to tell two of the same name apart, and no more. */
export type ClientHit = { id: number; name: string; advocate: string };

/** The body of `POST /api/clients/search`. */
export const clientSearchBody = z.object({ search: text() });
/** The body of `POST /api/clients/similar`. */
export const clientSimilarBody = z.object({ name: text() });

export const clientListQuery = listQuery(
  ["name", "advocate", "createdOn"],
  { userId: userFilter },
  { sort: "createdOn", order: "desc" },
);

export const clientMessages = {
  created: "Created client successfully",
  updated: "Updated client successfully",
  removed: "Removed client successfully",
};
