import * as z from "zod/mini";
import { isRecord } from "@/lib/core/objects";

// Rows of a request that are marked as removed. They have only their ids.

/** True if a row of a request is to be removed. */
export const isRemoved = (row: unknown): row is Record<string, unknown> & { _destroy: true } =>
  isRecord(row) && row._destroy === true;

/** Returns a check of a row that accepts a removed one whatever its other values are, and drops them. */
export const withoutRemovedValues = (): z.core.$ZodCheck<unknown> =>
  z.check<unknown>(
    (payload) => {
      if (!isRemoved(payload.value)) return;
      const { id, _destroy } = payload.value;
      payload.issues = payload.issues.filter(({ path }) => path?.[0] === "id");
      payload.value = { ...(id !== undefined && { id }), _destroy };
    },
    // A check without this does not run for a row whose required values are missing.
    { when: () => true },
  );
