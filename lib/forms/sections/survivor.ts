import type * as z from "zod/mini";
import { inAllReports } from "@/lib/clients/used-in";
import { count, day, entry, flag, longText, lookup, lookups, text } from "@/lib/core/fields/vocabulary";
import type { FormTypeFlags } from "@/lib/lookups/types";

const brainInjuryFields = {
  injuredHead: flag("Head Injury"),
  emergencyVisit: flag("Emergency Visit"),
  emergencyVisitOn: day("Emergency Visit Date", { dependsOn: { boxes: ["emergencyVisit"] } }),
  lostConsciousness: flag("Lost Consciousness", { summary: "lost consciousness", safety: true }),
  physicalSymptoms: flag("Physical Symptoms"),
  sensoryChanges: flag("Sensory Changes"),
  psychologicalChanges: flag("Psychological Changes"),
};
const brainInjury = entry("Brain Injury", "brain_injury_entries", brainInjuryFields, {
  dependsOn: { boxes: ["brainInjuryAssessed"] },
});

const offender = entry("Offender and Pets", "offender_entries", {
  name: text("Offender Name"),
  threatenedPet: flag("Threatened Pet", { summary: "threatened a pet", safety: true }),
  harmedPet: flag("Harmed Pet", { summary: "harmed a pet", safety: true }),
  killedPet: flag("Killed Pet", { summary: "killed a pet", safety: true }),
  petDescription: longText("Pet Description", {
    dependsOn: { boxes: ["threatenedPet", "harmedPet", "killedPet"] },
  }),
});

const schema = entry("Survivor", "survivor_entries", {
  secondaryVictimizationIds: lookups("secondary_victimizations", "Secondary Victimizations", inAllReports),
  secondaryVictimizationOther: text("Secondary Victimization Other", inAllReports),
  custodyStatusId: lookup("custody_statuses", "Custody Status", { lasting: true }),
  offenderRelationshipId: lookup("offender_relationships", "Offender Relationship", {
    required: true,
    summary: "offender: …",
    lasting: true,
    ...inAllReports,
  }),
  hateCrimeCategoryId: lookup("hate_crime_categories", "Hate Crime Category", inAllReports),
  childAges: text("Ages of Children", { lasting: true }),
  numberOfChildren: count("Number of Children", { summary: "children: …" }),
  brainInjuryAssessed: flag("Brain Injury Assessed", { summary: "brain injury assessed" }),
  brainInjuryEntry: brainInjury,
  offenderEntry: offender,
});

export type SurvivorEntry = NonNullable<z.output<typeof schema>>;

/** The name of the victimization that needs a description, in lower case. */
const OTHER_VICTIMIZATION = "other";

type Victimizations = Pick<SurvivorEntry, "secondaryVictimizationIds" | "secondaryVictimizationOther">;

/** Survivor details: children, secondary victimizations, brain injury, offender and pets. */
export const survivor = {
  shows: (type: FormTypeFlags) => type.survivorEntry,
  schema,
  /** True if the victimizations are a missing answer: there is also no text about another one. */
  asksVictimizations: (entry: Victimizations): boolean => entry.secondaryVictimizationOther === "",
  /** True if the text about another victimization is a missing answer: the one named Other is ticked. */
  asksOtherVictimization: (
    { secondaryVictimizationIds: ids }: Victimizations,
    list: readonly { id: number; name: string }[],
  ): boolean => list.some(({ id, name }) => ids.includes(id) && name.toLowerCase() === OTHER_VICTIMIZATION),
};
