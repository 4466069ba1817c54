import { group, named, type SectionSpec } from "@/components/forms/fields";
import { type SurvivorEntry, survivor } from "@/lib/forms/sections/survivor";

type BrainInjury = NonNullable<SurvivorEntry["brainInjuryEntry"]>;
type Offender = NonNullable<SurvivorEntry["offenderEntry"]>;

export const SURVIVOR: SectionSpec = {
  groups: [
    group<SurvivorEntry>({
      path: "",
      fields: [
        {
          name: "offenderRelationshipId",
          label: "Offender Relationship",
          kind: "select",
          options: (l) => named(l.offenderRelationships),
          required: true,
        },
        {
          name: "custodyStatusId",
          label: "Custody Status",
          kind: "select",
          options: (l) => named(l.custodyStatuses),
        },
        {
          name: "hateCrimeCategoryId",
          label: "Hate Crime Category",
          kind: "select",
          options: (l) => named(l.hateCrimeCategories),
        },
        { name: "numberOfChildren", label: "Number of Children", kind: "count" },
        { name: "childAges", label: "Child Ages", kind: "text" },
        {
          name: "secondaryVictimizationIds",
          label: "Secondary Victimizations",
          kind: "checks",
          options: (l) => named(l.secondaryVictimizations),
        },
        { name: "secondaryVictimizationOther", label: "Secondary Victimization Other", kind: "text" },
      ],
    }),
    group<SurvivorEntry>({
      path: "",
      fields: [{ name: "brainInjuryAssessed", label: "Brain Injury Assessed", kind: "check", clears: true }],
    }),
    group<SurvivorEntry, BrainInjury>({
      path: "brainInjuryEntry",
      legend: "Brain Injury",
      shows: (entry) => entry.brainInjuryAssessed,
      fields: [
        { name: "injuredHead", label: "Injured Head", kind: "check" },
        { name: "lostConsciousness", label: "Lost Consciousness", kind: "check" },
        { name: "physicalSymptoms", label: "Physical Symptoms", kind: "check" },
        { name: "sensoryChanges", label: "Sensory Changes", kind: "check" },
        { name: "psychologicalChanges", label: "Psychological Changes", kind: "check" },
        { name: "emergencyVisit", label: "Emergency Visit", kind: "check", clears: true },
        {
          name: "emergencyVisitOn",
          label: "Emergency Visit Date",
          kind: "date",
          shows: (entry) => entry.emergencyVisit,
        },
      ],
    }),
    group<SurvivorEntry, Offender>({
      path: "offenderEntry",
      legend: "Offender and Pets",
      columns: 3,
      fields: [
        { name: "name", label: "Offender Name", kind: "text", wide: true },
        { name: "threatenedPet", label: "Threatened Pet", kind: "check", clears: true },
        { name: "harmedPet", label: "Harmed Pet", kind: "check", clears: true },
        { name: "killedPet", label: "Killed Pet", kind: "check", clears: true },
        { name: "petDescription", label: "Pet Description", kind: "area", shows: survivor.hasPetFlag },
      ],
    }),
  ],
  clear: (entry: SurvivorEntry) => survivor.clear(entry),
};
