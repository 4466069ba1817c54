import { folded } from "@/lib/core/text/folded";

// The password rules, for both sides. Rules and hashes apply to the Unicode NFC of a password. Passwords that look the
// same are the same.

const MAX_PASSWORD_BYTES = 72;

/** Each rule, with its text in the live checklist and its error message. */
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

/** True if a password and its confirmation are the same. */
export const isConfirmed = (password: string, confirmation: string): boolean =>
  password.normalize("NFC") === confirmation.normalize("NFC");

/**
 * Returns the messages of the rules that `password` breaks; empty if it is valid. bcrypt ignores everything after 72
 * bytes, so a longer password is refused rather than cut.
 */
export function unmetPasswordRules(password: string): string[] {
  const unmet: string[] = PASSWORD_RULES.filter((rule) => !rule.met(password)).map((rule) => rule.message);
  if (new TextEncoder().encode(password.normalize("NFC")).length > MAX_PASSWORD_BYTES) {
    unmet.push(`Needs to be at most ${MAX_PASSWORD_BYTES} bytes`);
  }
  return unmet;
}

/** Facts that an attacker is likely to know about the owner of a password. */
export type PasswordOwner = { firstName: string; lastName: string; email: string };

/** Shorter parts of a name also occur in other words by chance. */
const SHORTEST_NAME = 3;

export const COMMON_PASSWORD = "This password is common and easy to guess";

/** Returns a sentence if the password contains the owner's name or the local part of their email, otherwise null. */
export function containsOwner(password: string, owner: PasswordOwner | null): string | null {
  const names = [
    ...`${owner?.firstName ?? ""} ${owner?.lastName ?? ""}`.split(/[^\p{L}\p{M}]+/u),
    owner?.email.split("@")[0] ?? "",
  ];
  const holds = names.some((name) => name.length >= SHORTEST_NAME && folded(password).includes(folded(name)));
  return holds ? "This password contains your name or email address and is easy to guess" : null;
}
