import { z } from "zod";
import { count, flag, id, longText, optionalId, optionalPastDate, text } from "@/lib/fields/validation";
import type { FormTypeFlags } from "@/lib/forms/types";

const brainInjury = z.object({
  id: id().optional(),
  injuredHead: flag(),
  emergencyVisit: flag(),
  emergencyVisitOn: optionalPastDate(),
  lostConsciousness: flag(),
  physicalSymptoms: flag(),
  sensoryChanges: flag(),
  psychologicalChanges: flag(),
});

const offender = z.object({
  id: id().optional(),
  name: text(),
  threatenedPet: flag(),
  harmedPet: flag(),
  killedPet: flag(),
  petDescription: longText(),
});

const schema = z.object({
  id: id().optional(),
  secondaryVictimizationIds: z
    .array(id())
    .max(100)
    .nullish()
    .transform((ids) => [...new Set(ids ?? [])]),
  secondaryVictimizationOther: text(),
  custodyStatusId: optionalId(),
  offenderRelationshipId: id(),
  hateCrimeCategoryId: optionalId(),
  childAges: text(),
  numberOfChildren: count(),
  brainInjuryAssessed: flag(),
  brainInjuryEntry: brainInjury.nullish(),
  offenderEntry: offender.nullish(),
});

export type SurvivorEntry = z.output<typeof schema>;
type BrainInjury = z.output<typeof brainInjury>;
type Offender = z.output<typeof offender>;

const hasPetFlag = (entry: Pick<Offender, "threatenedPet" | "harmedPet" | "killedPet">) =>
  entry.threatenedPet || entry.harmedPet || entry.killedPet;

const clearBrainInjury = (entry: BrainInjury, assessed: boolean): BrainInjury =>
  assessed
    ? { ...entry, emergencyVisitOn: entry.emergencyVisit ? entry.emergencyVisitOn : null }
    : { ...(entry.id && { id: entry.id }), ...brainInjury.parse({}) };

type Clearable = {
  brainInjuryAssessed: boolean;
  brainInjuryEntry?: BrainInjury | null;
  offenderEntry?: Offender | null;
};

/** Survivor details: children, secondary victimizations, brain injury, offender and pets (spec §3, §4, §5). */
export const survivor = {
  shows: (type: FormTypeFlags) => type.survivorEntry,
  schema,
  hasPetFlag,
  defaults: () => ({
    ...schema.parse({ offenderRelationshipId: 1 }),
    offenderRelationshipId: null,
    brainInjuryEntry: brainInjury.parse({}),
    offenderEntry: offender.parse({}),
  }),
  /**
   * Brain Injury Assessed unticked resets its answers; the emergency date needs its visit, the pet's
   * description a pet flag.
   */
  clear: <Entry extends Clearable>(entry: Entry): Entry => ({
    ...entry,
    ...(entry.brainInjuryEntry && {
      brainInjuryEntry: clearBrainInjury(entry.brainInjuryEntry, entry.brainInjuryAssessed),
    }),
    ...(entry.offenderEntry && {
      offenderEntry: {
        ...entry.offenderEntry,
        petDescription: hasPetFlag(entry.offenderEntry) ? entry.offenderEntry.petDescription : "",
      },
    }),
  }),
};
