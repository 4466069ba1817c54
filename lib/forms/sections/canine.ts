import type { FormTypeFlags } from "@/lib/lookups/types";

/** Canine assistance: available on every form type that is not a phone form. */
export const canine = {
  shows: (type: FormTypeFlags) => !type.phone,
  /** Returns the canine named None for a phone form or a form without a canine; otherwise the choice itself. */
  clear: (canineId: number | null, type: FormTypeFlags, noneId: number | null): number | null =>
    type.phone || canineId === null ? noneId : canineId,
};

/** The name of the canine that means no canine. */
export const NO_CANINE = "None";

/** Returns the id of the canine named None, or null if there is none. */
export const noneCanineId = (canines: readonly { id: number; name: string }[]): number | null =>
  canines.find(({ name }) => name.toLowerCase() === NO_CANINE.toLowerCase())?.id ?? null;
