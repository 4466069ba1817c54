import type { FormTypeFlags } from "@/lib/lookups/types";

/** Canine assistance: offered by every form type that is not a phone form. */
export const canine = {
  shows: (type: FormTypeFlags) => !type.phone,
  /** A phone form, or a form without a canine, gets the canine named None; any other choice is kept. */
  clear: (canineId: number | null, type: FormTypeFlags, noneId: number | null): number | null =>
    type.phone || canineId === null ? noneId : canineId,
};

/** The name of the canine that stands for no canine. */
export const NO_CANINE = "None";

/** The id of the canine named None; if there is none, the field stays empty. */
export const noneCanineId = (canines: readonly { id: number; name: string }[]): number | null =>
  canines.find(({ name }) => name.toLowerCase() === NO_CANINE.toLowerCase())?.id ?? null;
