import { z } from "zod";
import {
  guessable,
  isConfirmed,
  newPassword,
  optionalNewPassword,
  type PasswordOwner,
} from "@/lib/accounts/password";
import { moment, namedItem } from "@/lib/api/answer";
import { id } from "@/lib/fields/validation";
import { email, secret, text } from "@/lib/fields/vocabulary";

type Passwords = { password: string; passwordConfirmation: string };

// What is no text has a problem of its own, which says so.
const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const confirmed = ({ password, passwordConfirmation }: Passwords) =>
  isConfirmed(textOf(password), textOf(passwordConfirmation));
/** Asked whatever else is wrong: it is said as soon as the confirmation was left. */
const mismatch = {
  path: ["passwordConfirmation"],
  error: "Passwords do not match",
  when: ({ value }: { value: unknown }) => typeof value === "object" && value !== null,
};

/** The schema with a password that is easy to guess as a problem, where the operator refuses those (contract §7). */
export const refusingGuessable = <Schema extends z.ZodType<{ password: string }>>(
  schema: Schema,
  ownerOf: (values: z.output<Schema>) => PasswordOwner | null,
) =>
  schema.superRefine((values, context) => {
    const message = guessable(values.password, ownerOf(values));
    if (message) context.addIssue({ code: "custom", path: ["password"], message });
  });

/** Sign-in (spec §5). Whether the password could be one at all is not said. */
export const loginSchema = z.object({
  email: email("Email"),
  password: secret("Password", z.string().min(1, { error: "is required" })),
});

/** `{"login": {…}}` and, equally, the flat form (contract §1). */
export const loginBody = z
  .preprocess(
    (body) => (typeof body === "object" && body !== null && "login" in body ? body : { login: body }),
    z.object({ login: loginSchema }),
  )
  .transform((body) => body.login);

export const forgotPasswordSchema = z.object({ email: email("Email") });

const chosenPassword = () => secret("New Password", newPassword());
const passwordConfirmation = () => secret("New Password Confirmation", z.string().default(""));

/** The fields of the update password screen. */
export const newPasswordSchema = z
  .object({ password: chosenPassword(), passwordConfirmation: passwordConfirmation() })
  .refine(confirmed, mismatch);

/** The body of `PUT /api/forgot_password`. */
export const updatePasswordBody = z
  .object({
    token: secret("Token", z.string().min(1, { error: "is required" })),
    password: chosenPassword(),
    passwordConfirmation: passwordConfirmation(),
  })
  .refine(confirmed, mismatch);

/** The profile screen (spec §5): a blank password stays as it is. */
export const profileSchema = z
  .object({
    firstName: text("First Name", { required: true }),
    lastName: text("Last Name", { required: true }),
    email: email("Email"),
    password: secret("New Password", optionalNewPassword()),
    passwordConfirmation: secret(
      "New Password Confirmation",
      z
        .string()
        .nullish()
        .transform((value) => value ?? ""),
    ),
  })
  .refine(confirmed, mismatch);
export const profileBody = z.object({ profile: profileSchema });

export type ProfileInput = z.output<typeof profileSchema>;

/** What `GET /api/profile` answers under `profile`. */
export const profileAnswer = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: namedItem,
});
export type Profile = z.output<typeof profileAnswer>;

/** One of the user's own sessions. */
export const ownSession = z.object({
  id: z.uuid(),
  /** In plain words: `Firefox on Windows`. */
  device: z.string(),
  createdAt: moment,
  lastSeenAt: moment,
  current: z.boolean(),
});
export type OwnSession = z.output<typeof ownSession>;

/** How long a session still lives when nothing is done, and whether being used prolongs that. */
export const sessionState = z.object({ userId: id(), secondsLeft: z.int(), extendable: z.boolean() });
export type SessionState = z.output<typeof sessionState>;

/** A mail that has not arrived so far: an administrator should know. */
export type MailProblem = {
  userId: number;
  name: string;
  queuedAt: string;
  /** False: the attempts go on. */
  gaveUp: boolean;
  /** In the mail server's words. */
  reason: string;
};

/** Where sign-in leads back to: `url` when it is a path on this site, else null (contract §3). */
export function returnPath(url: string | null | undefined): string | null {
  const base = "http://this.site";
  // Browsers drop tabs and newlines, and read a backslash as a slash: let their own parser decide.
  if (!url?.startsWith("/") || !URL.canParse(url, base)) return null;
  const { origin, pathname, search, hash } = new URL(url, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : null;
}
