/** The result of a rule: true, or the caller's message, as react-hook-form's `validate` expects. */
type RuleResult = true | string;

/** False for null, undefined, NaN, blank text and empty lists; `false` and 0 are present. */
export function isPresent(value: unknown): boolean {
  if (value === null || value === undefined || Number.isNaN(value)) return false;
  if (typeof value === "string") return value.trim() !== "";
  return !Array.isArray(value) || value.length > 0;
}

/** True for a finite number above 0, including as text; false for anything else. */
export function isGreaterThanZero(value: unknown): boolean {
  if (typeof value !== "number" && typeof value !== "string") return false;
  const number = Number(value);
  return Number.isFinite(number) && number > 0;
}

/** Returns a presence check that returns the caller's message. */
export function presence(message: string): (value: unknown) => RuleResult {
  return (value) => isPresent(value) || message;
}

/** Returns a greater-than-zero check that returns the caller's message. */
export function greaterThanZero(message: string): (value: unknown) => RuleResult {
  return (value) => isGreaterThanZero(value) || message;
}
