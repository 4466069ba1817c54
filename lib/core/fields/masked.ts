import type { FieldFacts } from "@/lib/core/fields/facts";
import { masks } from "@/lib/core/fields/format";

/**
 * True if the value is the stored text in the format of the field's mask. Such a value is no change: a text that is stored
 * without its mask gets it by being read.
 */
export const isMaskOf = (facts: FieldFacts, value: unknown, stored: unknown): boolean =>
  facts.kind === "text" &&
  facts.mask !== undefined &&
  typeof stored === "string" &&
  masks[facts.mask](stored) === value;
