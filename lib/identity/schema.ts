import * as z from "zod/mini";
import { orBlank } from "@/lib/core/fields/validation";
import { email, record, secret, text } from "@/lib/core/fields/vocabulary";
import { REQUIRED } from "@/lib/core/fields/words";
import {
  containsOwner,
  isConfirmed,
  type PasswordOwner,
  unmetPasswordRules,
} from "@/lib/core/passwords/rules";
import { optionalCode } from "@/lib/identity/two-step/schema";
import { USER_LABELS } from "@/lib/identity/words";

type Passwords = { password: string; passwordConfirmation: string };

// Returns "" for a value that is not a string, which has its own error.
const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const confirmed = ({ password, passwordConfirmation }: Passwords) =>
  isConfirmed(textOf(password), textOf(passwordConfirmation));
/**
 * This check runs even if other fields are invalid, so that the message appears when the user leaves the confirmation.
 */
const mismatch = {
  path: ["passwordConfirmation"],
  error: "Passwords do not match",
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};

/** Adds a check that refuses a password with the name of its owner. The server also refuses common passwords. */
export const refusingOwnName = <Schema extends z.ZodMiniType<{ password: string }>>(
  schema: Schema,
  ownerOf: (values: z.output<Schema>) => PasswordOwner | null,
) =>
  schema.check(
    z.superRefine((values, context) => {
      const message = containsOwner(values.password, ownerOf(values));
      if (message) context.addIssue({ code: "custom", path: ["password"], message });
    }),
  );

const typedSecret = () => z.string().check(z.minLength(1, { error: REQUIRED }));

/** The fields of a sign-in. The password rules do not apply, so that an error reveals nothing. */
export const loginSchema = z.object({
  email: email(USER_LABELS.email),
  password: secret(USER_LABELS.password, typedSecret()),
  otp: optionalCode(),
});

/** The fields that prove again who owns the session. */
export const proofSchema = z.object({
  password: secret(USER_LABELS.password, typedSecret()),
  otp: optionalCode(),
});

export const forgotPasswordSchema = z.object({ email: email(USER_LABELS.email) });

/** Adds one issue with a line per broken rule, because a field shows one error (lib/core/fields/validation.ts). */
const keepsRules = z.superRefine((password: string, context) => {
  const unmet = password === "" ? [] : unmetPasswordRules(password);
  if (unmet.length > 0) context.addIssue(unmet.join("\n"));
});

/** Required, with a message for each rule that it breaks. */
const chosenPassword = () => secret(USER_LABELS.newPassword, typedSecret().check(keepsRules));
const passwordConfirmation = () => secret(USER_LABELS.passwordConfirmation, z._default(z.string(), ""));

/** The fields of the screen that sets a new password. */
export const newPasswordSchema = z
  .object({ password: chosenPassword(), passwordConfirmation: passwordConfirmation() })
  .check(z.refine(confirmed, mismatch));

/** The body of `PUT /api/forgot_password`. */
export const updatePasswordBody = z
  .object({
    token: secret("Token", typedSecret()),
    password: chosenPassword(),
    passwordConfirmation: passwordConfirmation(),
  })
  .check(z.refine(confirmed, mismatch));

/** The fields of an account that its user may change. */
export const accountSchema = record("User", "users", {
  firstName: text(USER_LABELS.firstName, { required: true }),
  lastName: text(USER_LABELS.lastName, { required: true }),
  email: email(USER_LABELS.email),
});

/** The fields of the profile screen. A blank password leaves the password unchanged. */
export const profileSchema = z
  .object({
    ...accountSchema.shape,
    password: secret(USER_LABELS.newPassword, orBlank(z.string(), "").check(keepsRules)),
    passwordConfirmation: secret(USER_LABELS.passwordConfirmation, orBlank(z.string(), "")),
  })
  .check(z.refine(confirmed, mismatch));
export type ProfileInput = z.output<typeof profileSchema>;

/** The change of an account's sign-in that a notice reports to the account's previous address. */
export type NoticeKind =
  | "email"
  | "password"
  | "twoStepOn"
  | "twoStepChanged"
  | "twoStepOff"
  | "singleSignOn";

/** A mail that has not been delivered, shown to administrators. */
export type MailProblem = {
  /** The user of the link; null for a notice, whose address may no longer belong to an account. */
  userId: number | null;
  /** The user's name; for a notice, the address. */
  name: string;
  queuedAt: string;
  /** False while attempts continue. */
  gaveUp: boolean;
  /** The mail server's message. */
  reason: string;
};
