import { section } from "@/components/record/section";
import { biographical, clientSchema, demographic, otherEthnicityId } from "@/lib/clients/schema";

/** The client's relationship to the survivor. */
export const RELATIONSHIP = section("client", clientSchema, ({ fields }) => [
  fields(["significantOther", "relationshipToSurvivor"]),
]);

export const BIOGRAPHICAL = section("client.clientBiographicalEntry", biographical.schema, ({ fields }) => [
  fields([
    "dateOfBirth",
    "ageBracketId",
    "address",
    "address2",
    "city",
    "state",
    "postalCode",
    "phoneNumber",
    "safeToCall",
    "fictitiousName",
  ]),
]);

export const DEMOGRAPHIC = section(
  "client.clientDemographicEntry",
  demographic.schema,
  ({ fields }) => [
    fields(["ageBracketId", "gender", "ethnicityId", "ethnicityOther"], {
      when: {
        ethnicityOther: (entry, { ethnicities = [] }) =>
          demographic.showsEthnicityOther(entry.ethnicityId, otherEthnicityId(ethnicities)),
      },
    }),
    fields([
      "lgbt",
      "elderly",
      "remoteArea",
      "limitedEnglish",
      "immigrant",
      "homeless",
      "military",
      "disability",
    ]),
    fields(["disabilityPhysical", "disabilityDeaf", "disabilityCognitive", "disabilityMental"], {
      legend: "Types of Disability",
      shows: (entry) => entry.disability,
    }),
  ],
  { clear: (entry, { ethnicities = [] }) => demographic.clear(entry, otherEthnicityId(ethnicities)) },
);
