import * as z from "zod/mini";
import type { NamedItem } from "@/lib/core/access/permissions";
import { dayFilter, filter, idFilter, listQuery } from "@/lib/core/api/list-query";
import { namedItem, person } from "@/lib/core/api/response";
import { responseOf } from "@/lib/core/fields/responses";
import { id } from "@/lib/core/fields/validation";
import { optionalInPut } from "@/lib/core/fields/vocabulary";
import { newStaySchema, staySchema } from "@/lib/shelter/schema";

// The bodies, responses, and queries of the API. Screens use only their types, so browsers do not load them.

const enteredOn = optionalInPut(staySchema.shape.enteredOn);

/** The body of `POST /api/stays`. Without `enteredOn` the stay begins today. */
export const newStayBody = z.object({ stay: z.extend(newStaySchema, { enteredOn }) });
export type NewStayBody = z.output<typeof newStayBody>["stay"];

/** The body of `PUT /api/stays/{id}`. The client of a stay does not change. */
export const stayBody = z.object({
  stay: z.extend(staySchema, { enteredOn, clientId: optionalInPut(newStaySchema.shape.clientId) }),
});
export type StayBody = z.output<typeof stayBody>["stay"];

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

/** The choices of a stay's fields. */
export type StayChoices = { shelters: NamedItem[]; exitDestinations: NamedItem[] };
