import { section } from "@/components/record/section";
import { survivor } from "@/lib/forms/sections/survivor";

export const SURVIVOR = section("form.intakeForm.survivorEntry", survivor.schema, ({ fields, entry }) => [
  fields(
    [
      "offenderRelationshipId",
      "custodyStatusId",
      "hateCrimeCategoryId",
      "numberOfChildren",
      "childAges",
      "secondaryVictimizationIds",
      "secondaryVictimizationOther",
    ],
    {
      asks: {
        // Blank means that it was no hate crime.
        hateCrimeCategoryId: () => false,
        secondaryVictimizationIds: survivor.asksVictimizations,
        secondaryVictimizationOther: (entry, { secondary_victimizations: list = [] }) =>
          survivor.asksOtherVictimization(entry, list),
      },
    },
  ),
  fields(["brainInjuryAssessed"]),
  entry("brainInjuryEntry", [
    "injuredHead",
    "lostConsciousness",
    "physicalSymptoms",
    "sensoryChanges",
    "psychologicalChanges",
    "emergencyVisit",
    "emergencyVisitOn",
  ]),
  entry("offenderEntry", ["name", "threatenedPet", "harmedPet", "killedPet", "petDescription"]),
]);
