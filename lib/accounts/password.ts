import { z } from "zod";
import { isCommonPassword } from "@/lib/accounts/common-passwords";

// The password rules of spec sections 2, 5 and 9, and the contract's bound (section 3). Both sides.

export const MAX_PASSWORD_BYTES = 72;

/** Each rule with its words in the live checklist and its message on a field. */
export const PASSWORD_RULES = [
  {
    label: "At least one number",
    message: "Needs to contain at least one number",
    met: (password: string) => /\d/.test(password),
  },
  {
    label: "At least one lowercase letter",
    message: "Needs to contain at least one lowercase letter",
    met: (password: string) => /[a-z]/.test(password),
  },
  {
    label: "At least one uppercase letter",
    message: "Needs to contain at least one uppercase letter",
    met: (password: string) => /[A-Z]/.test(password),
  },
  {
    label: "At least 8 characters",
    message: "Needs to contain at least 8 characters",
    met: (password: string) => password.length >= 8,
  },
] as const;

/**
 * The messages of the rules that `password` breaks; empty when it may be used. Of a password past 72 bytes
 * bcrypt would ignore the rest, so it is refused, never cut.
 */
export function unmetPasswordRules(password: string): string[] {
  const unmet: string[] = PASSWORD_RULES.filter((rule) => !rule.met(password)).map((rule) => rule.message);
  if (new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES) {
    unmet.push(`Needs to be at most ${MAX_PASSWORD_BYTES} bytes long`);
  }
  if (isCommonPassword(password)) unmet.push(TOO_COMMON);
  return unmet;
}

const TOO_COMMON = "This password is too common and easy to guess. Please choose another one";

function refineRules(password: string, context: z.RefinementCtx): void {
  for (const message of password === "" ? [] : unmetPasswordRules(password)) context.addIssue(message);
}

/** A new password: required, by the rules, each broken one with its message. */
export const newPassword = () => z.string().min(1, { error: "is required" }).superRefine(refineRules);

/** The same, or "" when absent, null or blank. */
export const optionalNewPassword = () =>
  z
    .string()
    .nullish()
    .transform((value) => value ?? "")
    .superRefine(refineRules);
