import "server-only";
import { dictionary } from "@zxcvbn-ts/language-common";
import { COMMON_PASSWORD, containsOwner, type PasswordOwner } from "@/lib/core/passwords/rules";

// The list of common passwords has 49,000 words, so browsers ask the server (POST /api/password_check).

let words: Set<string> | undefined;

const edges = /^[^a-z]+|[^a-z]+$/g;

/** True if a password is on the list of common ones. Case, and digits and signs before or after it, are ignored. */
export function isCommonPassword(password: string): boolean {
  words ??= new Set(dictionary["passwords-common"]);
  const commonPasswords = words;
  const lower = password.toLowerCase();
  const core = lower.replace(edges, "");
  const digits = lower.replace(/[^a-z0-9]+$/, "");
  return [lower, core, digits, lower.replace(/\d+$/, "")].some((form) => commonPasswords.has(form));
}

/**
 * Returns the reason why the password is easy to guess, as a sentence, or null. It is a common password, or contains
 * the owner's name or the local part of their email. With REFUSE_COMMON_PASSWORDS it is an error; otherwise screens
 * warn.
 */
export const guessable = (password: string, owner: PasswordOwner | null): string | null =>
  isCommonPassword(password) ? COMMON_PASSWORD : containsOwner(password, owner);
