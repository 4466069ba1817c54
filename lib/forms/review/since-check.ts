import type { ChangeSentence } from "@/lib/audit/sentences";

/** The changes of a form since it was last checked. */
export type SinceCheck = {
  changes: readonly ChangeSentence[];
  /** True if the form was changed, but what was checked is not stored, so that it is compared with nothing. */
  isUnknown: boolean;
};

export const NOTHING_CHANGED: SinceCheck = { changes: [], isUnknown: false };

/** For `isUnknown`. */
export const CHANGED_UNKNOWN =
  "This form was changed since it was last checked. What was checked is not stored: see its history.";
