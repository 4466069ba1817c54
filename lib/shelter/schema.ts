import * as z from "zod/mini";
import { count, day, flag, lookup, optionalInPut, record, version } from "@/lib/core/fields/vocabulary";
import { today } from "@/lib/core/text/format";
import { STAY_LABELS } from "@/lib/shelter/words";

const harmless = { inErrorReports: true } as const;
/** Days of a stay remain after a purge, as reports count them. */
const stayDay = { sensitive: false, ...harmless } as const;

/**
 * A stay. Its client is not a field: it is chosen at the start and changes only when clients are merged. Fields missing
 * from an update keep their values.
 */
export const staySchema = record("Stay", "stays", {
  shelterId: lookup("shelters", STAY_LABELS.shelter, { required: true, ...harmless }),
  enteredOn: day(STAY_LABELS.enteredOn, { required: true, initial: today, ...stayDay }),
  leftOn: optionalInPut(day(STAY_LABELS.leftOn, stayDay)),
  adults: optionalInPut(
    count(STAY_LABELS.adults, { hint: "Only people without a client record of their own.", ...harmless }),
  ),
  childrenThirteenToSeventeen: optionalInPut(count(STAY_LABELS.childrenThirteenToSeventeen, harmless)),
  childrenUnderThirteen: optionalInPut(count(STAY_LABELS.childrenUnderThirteen, harmless)),
  exitDestinationId: optionalInPut(lookup("exit_destinations", STAY_LABELS.exitDestination, harmless)),
  medicalAdvocacy: optionalInPut(flag(STAY_LABELS.medicalAdvocacy, harmless)),
  lockVersion: version(),
});
export type StayInput = z.output<typeof staySchema>;

/** A new stay, with its client. */
export const newStaySchema = z.extend(staySchema, {
  clientId: lookup("clients", "Client", { required: true }),
});

/** The body of `POST /api/stays/{id}/move`. Without `on` the client moves today. */
export const moveBody = z.object({
  shelterId: lookup("shelters", STAY_LABELS.shelter, { required: true, ...harmless }),
  on: optionalInPut(day("Moved On", { required: true, initial: today, ...stayDay })),
  lockVersion: version(),
});
export type MoveInput = z.output<typeof moveBody>;
