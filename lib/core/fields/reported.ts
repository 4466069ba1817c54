import type { FieldFacts } from "@/lib/core/fields/facts";

/**
 * True if the value reports something: a ticked box, another choice than the initial one, or an entered value. A blank
 * reports nothing, not even a "no".
 */
export const isReported = (facts: FieldFacts, value: unknown): boolean => {
  if (facts.kind === "whole") return typeof value === "number";
  if (facts.kind === "choice" && (value === facts.blank || value === facts.initial)) return false;
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
};
