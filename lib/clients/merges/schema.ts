import * as z from "zod/mini";
import { clientResponse } from "@/lib/clients/api-schema";
import { clientSchema, mergedSchema } from "@/lib/clients/schema";
import { moment } from "@/lib/core/api/response";
import { id } from "@/lib/core/fields/validation";
import { wireBody } from "@/lib/core/fields/wire";
import { isRecord } from "@/lib/core/objects";

/** The body of `POST /api/clients/{id}/merge`; `client` holds the values to keep. */
export const mergeBody = wireBody(z.object({ client: clientSchema, other: mergedSchema }));
export type MergeInput = z.output<typeof mergeBody>;

const merge = z.object({
  id: id(),
  /** The remaining record, and the id of the removed one. */
  clientId: id(),
  mergedId: id(),
  at: moment,
  by: z.nullable(z.string()),
  /**
   * The last day on which the merge can be undone. Null if it no longer can, or if a later merge must be undone first.
   * Also null if the restored record would be hidden from the caller.
   */
  undoableUntil: z.nullable(z.iso.date()),
});
export type Merge = z.output<typeof merge>;

export const mergeResponse = z.object({ client: clientResponse, merge });
export const mergesResponse = z.object({
  /** The merges of this client and of the clients merged into it, newest first. */
  merges: z.array(merge),
  /** The client that now has the record, if the record with this id was merged. */
  mergedInto: z.nullable(id()),
});
export type Merges = z.output<typeof mergesResponse>;

/** The body of `POST /api/merges/{id}/undo`. */
export const undoBody = z.object({ keepChanged: z.boolean() });
/** The remaining client and the restored one. */
export const undoResponse = z.object({ client: clientResponse, other: clientResponse });

/** A client as stored with a merge. Merges from before custom fields have no values of them. */
const storedClient = z.pipe(
  z.transform((client: unknown) => (isRecord(client) ? { custom: {}, ...client } : client)),
  clientResponse,
);

/** Merges from before 2026-11-28 have the ids of each module under a name of its own. */
const withMoved = z.transform((details: unknown) => {
  if (!isRecord(details) || details.moved) return details;
  const { formIds: forms = [], stayIds: stays = [], hiddenFrom: restrictions = [] } = details;
  return { ...details, moved: { forms, stays, restrictions } };
});

/**
 * The details for undoing a merge: the removed record, the remaining one before and after, and what moved.
 */
const details = z.object({
  other: storedClient,
  createdAt: z.string(),
  updatedAt: z.string(),
  before: storedClient,
  after: storedClient,
  keyIds: z.array(z.uuid()),
  /** The ids that each of the hooks (lib/clients/hooks.ts) returned, by its name. */
  moved: z.record(z.string(), z.array(id())),
  /** Other data that they keep for the undo, by their names. */
  kept: z.optional(z.record(z.string(), z.unknown())),
});
export const mergeDetails = z.pipe(withMoved, details);
export type MergeDetails = z.output<typeof details>;
