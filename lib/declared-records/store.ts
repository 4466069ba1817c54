import "server-only";
import { audit } from "@/lib/audit/record";
import { addRecordIn, createOnce, removeRecordIn, updateRecord } from "@/lib/audit/save";
import type { SessionUser } from "@/lib/core/access/permissions";
import { creationKey } from "@/lib/core/api/idempotency";
import { inTransaction, queryIn, type Tx } from "@/lib/core/database/client";
import type { RecordDeclaration } from "@/lib/core/records/declaration";
import type { RecordItem, RecordValues } from "@/lib/declared-records/api-schema";
import { type RecordReads, recordReads } from "@/lib/declared-records/reads";
import { type RecordSaves, recordSaves, type SentRecord } from "@/lib/declared-records/saves";

/** The writes of a declared record. */
type RecordWrites<Item extends RecordItem> = {
  /**
   * Creates a record owned by the actor; without a day, it is today's. A repeated key returns that record as it is now, or
   * throws 404 if it was removed. Throws 409 in a closed period and 422 with the invalid fields.
   */
  create(actor: SessionUser, values: RecordValues, idempotencyKey: string | null): Promise<Item>;
  /** Adds a record for an owner in the caller's transaction and returns its id. */
  createIn(tx: Tx, actor: SessionUser, values: RecordValues, ownerId: number): Promise<number>;
  /** Updates a visible record; the owner does not change. Throws 404, 409 for a stale version or a closed period, and 422. */
  update(actor: SessionUser, id: number, values: RecordValues): Promise<Item>;
  /** Removes a visible record. Throws 404, and 409 in a closed period. */
  remove(actor: SessionUser, id: number): Promise<void>;
  /** Does the same in the caller's transaction. */
  removeIn(tx: Tx, actor: SessionUser, id: number): Promise<void>;
};

export type RecordStore<Item extends RecordItem = RecordItem> = RecordReads<Item> & RecordWrites<Item>;

const versioned = (values: RecordValues): SentRecord => ({
  ...values,
  lockVersion: typeof values.lockVersion === "number" ? values.lockVersion : undefined,
});

/** Returns the reads and writes of a declared record. */
export const recordStore = (declaration: RecordDeclaration): RecordStore => {
  const reads = recordReads(declaration);
  return storeOf(reads, recordSaves(reads));
};

/** Returns the reads with the writes of a kind that is saved in this way. */
export function storeOf<Item extends RecordItem>(
  reads: RecordReads<Item>,
  saves: RecordSaves<Item>,
): RecordStore<Item> {
  const { read } = reads;
  const { entity } = saves;
  return {
    ...reads,
    create(actor, values, idempotencyKey) {
      const key = creationKey(actor, idempotencyKey, { [entity]: values });
      return createOnce(
        key,
        (query) => addRecordIn(saves, query, actor, versioned(values), { ownerId: actor.userId, key }),
        (query, id) => read(query, actor, id),
        (query, id) => audit(query, actor, { action: "viewed", entity, entityId: id }),
      );
    },
    createIn: (tx, actor, values, ownerId) =>
      addRecordIn(saves, queryIn(tx), actor, versioned(values), { ownerId }),
    update: (actor, id, values) => updateRecord(saves, actor, id, versioned(values), read),
    remove: (actor, id) => inTransaction((query) => removeRecordIn(saves, query, actor, id)),
    removeIn: (tx, actor, id) => removeRecordIn(saves, queryIn(tx), actor, id),
  };
}
