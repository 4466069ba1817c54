import type { FieldFacts } from "@/lib/core/fields/facts";

/** Is shown in place of a stored phone number until the user requests it. */
export const MASKED_NUMBER = "(•••) •••-••••";

/** True if the field holds a phone number. */
export const isPhone = (facts: FieldFacts | undefined): boolean =>
  facts?.kind === "text" && facts.mask === "phone";
