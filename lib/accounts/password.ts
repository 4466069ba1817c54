import { z } from "zod";
import { isCommonPassword } from "@/lib/accounts/common-passwords";
import { folded } from "@/lib/fields/folded";

// The password rules of spec sections 2, 5 and 9, and the contract's (sections 3 and 7). Both sides. What looks
// alike is one password: all of it is about its Unicode NFC, and so are the stored hashes.

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
    met: (password: string) => password.normalize("NFC").length >= 8,
  },
] as const;

/** Whether a password and its confirmation are the same. */
export const isConfirmed = (password: string, confirmation: string): boolean =>
  password.normalize("NFC") === confirmation.normalize("NFC");

/**
 * The messages of the rules that `password` breaks; empty when it may be used. Of a password past 72 bytes
 * bcrypt would ignore the rest, so it is refused, never cut.
 */
export function unmetPasswordRules(password: string): string[] {
  const unmet: string[] = PASSWORD_RULES.filter((rule) => !rule.met(password)).map((rule) => rule.message);
  if (new TextEncoder().encode(password.normalize("NFC")).length > MAX_PASSWORD_BYTES) {
    unmet.push(`Needs to be at most ${MAX_PASSWORD_BYTES} bytes long`);
  }
  return unmet;
}

/** Whose password it is, as far as a guesser knows. */
export type PasswordOwner = { firstName: string; lastName: string; email: string };

/** A part of a name so short that other words hold it by chance says nothing. */
const SHORTEST_NAME = 3;

/**
 * Why the password is easy to guess, as a sentence, or null: it is a common one, or holds the owner's own name or
 * the local part of their email (contract §7). A warning, and with REFUSE_COMMON_PASSWORDS a refusal.
 */
export function guessable(password: string, owner: PasswordOwner | null): string | null {
  if (isCommonPassword(password)) return "This password is common and easy to guess";
  const names = [
    ...`${owner?.firstName ?? ""} ${owner?.lastName ?? ""}`.split(/[^\p{L}\p{M}]+/u),
    owner?.email.split("@")[0] ?? "",
  ];
  const holds = names.some((name) => name.length >= SHORTEST_NAME && folded(password).includes(folded(name)));
  return holds ? "This password holds your name or email address and is easy to guess" : null;
}

/** One issue whatever number of rules is broken, a line each: a field has one error (lib/fields/validation.ts). */
function refineRules(password: string, context: z.RefinementCtx): void {
  const unmet = password === "" ? [] : unmetPasswordRules(password);
  if (unmet.length > 0) context.addIssue(unmet.join("\n"));
}

/** A new password: required, by the rules, with the message of each that is broken. */
export const newPassword = () => z.string().min(1, { error: "is required" }).superRefine(refineRules);

/** The same, or "" when absent, null or blank. */
export const optionalNewPassword = () =>
  z
    .string()
    .nullish()
    .transform((value) => value ?? "")
    .superRefine(refineRules);
