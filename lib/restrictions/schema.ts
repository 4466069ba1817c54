import { z } from "zod";
import { moment, person } from "@/lib/api/answer";
import { id } from "@/lib/fields/validation";

/** A user who must not know of a client, and who said so when; `by` is null where that account is gone. */
const restriction = z.object({
  user: person.extend({ active: z.boolean() }),
  by: z.string().nullable(),
  at: moment,
});
export type Restriction = z.output<typeof restriction>;

export const restrictionsAnswer = z.object({ restrictions: z.array(restriction) });

const USERS_MAX = 500;

const userIds = z
  .array(id())
  .max(USERS_MAX)
  .transform((ids) => [...new Set(ids)]);

/** The body of `PUT /api/clients/{id}/restrictions`. */
export const restrictionsBody = z.object({
  /** The whole new list. */
  userIds,
  /** The list that was read, which nobody else must have changed meanwhile. */
  formerUserIds: userIds.optional(),
});
export type RestrictionsInput = z.output<typeof restrictionsBody>;
