import { section } from "@/components/record/section";
import { survivor } from "@/lib/forms/sections/survivor";

export const SURVIVOR = section(
  survivor.schema,
  ({ fields, entry }) => [
    fields([
      "offenderRelationshipId",
      "custodyStatusId",
      "hateCrimeCategoryId",
      "numberOfChildren",
      "childAges",
      "secondaryVictimizationIds",
      "secondaryVictimizationOther",
    ]),
    fields(["brainInjuryAssessed"]),
    entry(
      "brainInjuryEntry",
      [
        "injuredHead",
        "lostConsciousness",
        "physicalSymptoms",
        "sensoryChanges",
        "psychologicalChanges",
        "emergencyVisit",
        "emergencyVisitOn",
      ],
      {
        shows: (details) => details.brainInjuryAssessed,
        when: { emergencyVisitOn: (injury) => injury.emergencyVisit },
      },
    ),
    entry("offenderEntry", ["name", "threatenedPet", "harmedPet", "killedPet", "petDescription"], {
      columns: 3,
      wide: ["name"],
      when: { petDescription: survivor.hasPetFlag },
    }),
  ],
  { clear: survivor.clear },
);
