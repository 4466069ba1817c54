import * as z from "zod/mini";
import { work } from "@/lib/clients/api-schema";
import { moment, person } from "@/lib/core/api/response";
import { id } from "@/lib/core/fields/validation";

/** A user who cannot see a client, and the user who hid it: null without that account. */
const restriction = z.object({
  user: z.extend(person, { active: z.boolean() }),
  by: z.nullable(z.string()),
  at: moment,
});
export type Restriction = z.output<typeof restriction>;

export const restrictionsResponse = z.object({ restrictions: z.array(restriction) });

/** `handedOver` is the number of records that moved, if a hand-over was requested. */
export const setRestrictionsResponse = z.extend(restrictionsResponse, { handedOver: z.optional(work) });

/** The work of a user with a client. The numbers are null if the caller may not see colleagues' forms. */
const involvement = z.object({
  isAdvocate: z.boolean(),
  forms: z.nullable(z.int()),
  /** The number of those forms that were returned to the user. */
  returned: z.nullable(z.int()),
  /** Unfinished forms of the user about this client. */
  drafts: z.nullable(z.int()),
});
export type Involvement = z.output<typeof involvement>;
export const involvementResponse = z.object({ involvement });

const USERS_MAX = 500;

const userIds = z.pipe(
  z.array(id()).check(z.maxLength(USERS_MAX)),
  z.transform((ids) => [...new Set(ids)]),
);

/** The body of `PUT /api/clients/{id}/restrictions`. */
export const restrictionsBody = z.object({
  /** The complete new list. */
  userIds,
  /** The list the caller read; the request fails if it has changed since. */
  formerUserIds: z.optional(userIds),
  /** Transfers one user's work for this client to a colleague before the client is hidden. */
  handOver: z.optional(z.object({ fromUserId: id(), toUserId: id() })),
});
export type RestrictionsInput = z.output<typeof restrictionsBody>;
