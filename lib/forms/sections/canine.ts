import type { FormTypeFlags } from "@/lib/forms/types";

/** Canine assistance (spec §2–§4): offered by every form type that is not a phone form. */
export const canine = {
  shows: (type: FormTypeFlags) => !type.phone,
  /** A phone form, or a form with no canine, has the one named None; any other choice stays as it is. */
  clear: (canineId: number | null, type: FormTypeFlags, noneId: number | null): number | null =>
    type.phone || canineId === null ? noneId : canineId,
};

/** The id of the canine named None, without which "no canine" stays empty. */
export const noneCanineId = (canines: readonly { id: number; name: string }[]): number | null =>
  canines.find(({ name }) => name.toLowerCase() === "none")?.id ?? null;
