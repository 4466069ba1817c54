import { z } from "zod/mini";
import { dayFilter, filter, idFilter, listQuery } from "@/lib/core/api/list-query";
import { namedItem, person } from "@/lib/core/api/response";
import { today } from "@/lib/core/fields/format";
import { responseOf } from "@/lib/core/fields/responses";
import { id } from "@/lib/core/fields/validation";
import { count, day, flag, lookup, optionalInPut, record, version } from "@/lib/core/fields/vocabulary";
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
  adults: optionalInPut(count(STAY_LABELS.adults, harmless)),
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
export type NewStay = z.output<typeof newStaySchema>;

const enteredOn = optionalInPut(staySchema.shape.enteredOn);

/** The body of `POST /api/stays`. Without `enteredOn` the stay begins today. */
export const newStayBody = z.object({ stay: z.extend(newStaySchema, { enteredOn }) });
export type NewStayBody = z.output<typeof newStayBody>["stay"];

/** The body of `PUT /api/stays/{id}`. The client of a stay does not change. */
export const stayBody = z.object({
  stay: z.extend(staySchema, { enteredOn, clientId: optionalInPut(newStaySchema.shape.clientId) }),
});
export type StayBody = z.output<typeof stayBody>["stay"];

/** The body of `POST /api/stays/{id}/move`. Without `on` the client moves today. */
export const moveBody = z.object({
  shelterId: lookup("shelters", STAY_LABELS.shelter, { required: true, ...harmless }),
  on: optionalInPut(day("Moved On", { required: true, initial: today, ...stayDay })),
  lockVersion: version(),
});
export type MoveInput = z.output<typeof moveBody>;

/** A stay as returned. */
export const stayResponse = z.extend(responseOf(staySchema), {
  clientId: id(),
  shelter: namedItem,
  userId: id(),
  user: person,
});
export type Stay = z.output<typeof stayResponse>;
/** `{"stay": {…}}` */
export const oneStay = z.object({ stay: stayResponse });

/** The name of a stay's client. */
export const revealedName = z.object({ client: namedItem });

/** The choices of a stay's fields. */
export const stayChoices = z.object({
  shelters: z.array(namedItem),
  exitDestinations: z.array(namedItem),
});
export type StayChoices = z.output<typeof stayChoices>;

/** The filters of the list. `from` and `to` are inclusive days: the stays that were open on one of them. */
export const stayListQuery = listQuery(
  ["enteredOn", "leftOn", "shelter", "advocate"],
  {
    clientId: idFilter(),
    shelterId: idFilter(),
    open: filter(z.enum(["true", "false"], { error: "must be true or false" })),
    from: dayFilter(),
    to: dayFilter(),
  },
  { sort: "enteredOn", order: "desc" },
).check(
  z.refine(({ filters: { from, to } }) => !from || !to || from <= to, {
    path: ["filters", "to"],
    error: "must not be before From",
  }),
);
export type StayListQuery = ReturnType<typeof stayListQuery.parse>;

/** A shelter with its open stays, and with the number of people of all open stays, hidden ones included. */
const boardShelter = z.object({
  id: id(),
  name: z.string(),
  kind: z.string(),
  /** 0 if the number is not fixed. */
  beds: z.int(),
  bedsTaken: z.int(),
  stays: z.array(
    z.extend(z.omit(stayResponse, { shelter: true, user: true, userId: true }), {
      initials: z.string(),
      nights: z.int(),
      people: z.int(),
      isLong: z.boolean(),
    }),
  ),
});
export type BoardShelter = z.output<typeof boardShelter>;
export type BoardStay = BoardShelter["stays"][number];
export const board = z.object({ shelters: z.array(boardShelter) });
