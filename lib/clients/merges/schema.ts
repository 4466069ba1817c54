import { z } from "zod";
import { clientAnswer, clientSchema } from "@/lib/clients/schema";
import { moment } from "@/lib/core/api/answer";
import { INT_MAX, id } from "@/lib/core/fields/validation";
import { wireBody } from "@/lib/core/fields/wire";

/** The record that goes, as it was read. */
export const mergedSchema = z.object({ id: id(), lockVersion: z.int().min(0).max(INT_MAX) });
/** The body of `POST /api/clients/{id}/merge`; `client` are the values that remain. */
export const mergeBody = wireBody(z.object({ client: clientSchema, other: mergedSchema }));
export type MergeInput = z.output<typeof mergeBody>;

const merge = z.object({
  id: id(),
  /** The record that remained, and the id of the one that is gone. */
  clientId: id(),
  mergedId: id(),
  at: moment,
  by: z.string().nullable(),
  /**
   * The last day on which it can be undone; null if it no longer can, if a later merge has to be undone first, or if the
   * record that would be back is hidden from the caller.
   */
  undoableUntil: z.iso.date().nullable(),
});
export type Merge = z.output<typeof merge>;

export const mergeAnswer = z.object({ client: clientAnswer, merge });
export const mergesAnswer = z.object({
  /** The merges of this client and of those who were merged into it, the newest first. */
  merges: z.array(merge),
  /** Where the record of this id is gone: the client who has it today. */
  mergedInto: id().nullable(),
});
export type Merges = z.output<typeof mergesAnswer>;

/** The body of `POST /api/merges/{id}/undo`. */
export const undoBody = z.object({ keepChanged: z.boolean() });
/** The client that remained, and the one that is back. */
export const undoAnswer = z.object({ client: clientAnswer, other: clientAnswer });

/** What undoing needs of a merge: the record that went, the other as it was and as it became, and what moved. */
export const mergeDetails = z.object({
  other: clientAnswer,
  createdAt: z.string(),
  updatedAt: z.string(),
  before: clientAnswer,
  after: clientAnswer,
  formIds: z.array(id()),
  keyIds: z.array(z.uuid()),
  /** The users who must not know of the record that went. */
  hiddenFrom: z.array(id()).default([]),
});
export type MergeDetails = z.output<typeof mergeDetails>;
