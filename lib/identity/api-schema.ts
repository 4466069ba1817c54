import * as z from "zod/mini";
import { moment, namedItem } from "@/lib/core/api/response";
import { id } from "@/lib/core/fields/validation";
import { loginSchema, profileSchema } from "@/lib/identity/schema";
import { codeSchema, optionalCode } from "@/lib/identity/two-step/schema";

// The bodies, responses, and queries of the API. Screens use only their types, so browsers do not load them.

/** Accepts `{"login": {…}}` or the same fields without `login`. The code may be inside or outside of it. */
export const loginBody = z.pipe(
  z.pipe(
    z.transform((body: unknown) =>
      typeof body === "object" && body !== null && "login" in body ? body : { login: body },
    ),
    z.object({ login: loginSchema, otp: optionalCode() }),
  ),
  z.transform(({ login, otp }) => ({ ...login, otp: login.otp ?? otp })),
);

export const profileBody = z.object({ profile: profileSchema });

/** The `profile` of the response of `GET /api/profile`. */
export const profileResponse = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: namedItem,
});
export type Profile = z.output<typeof profileResponse>;

/** One of the user's own sessions. */
export const listedSession = z.object({
  id: z.guid(),
  /** In plain words, for example `Firefox on Windows`. */
  device: z.string(),
  createdAt: moment,
  lastSeenAt: moment,
  current: z.boolean(),
});
export type ListedSession = z.output<typeof listedSession>;

/** The time for which a session remains valid without activity, and whether activity prolongs it. */
export const sessionState = z.object({ userId: id(), secondsLeft: z.int(), extendable: z.boolean() });
export type SessionState = z.output<typeof sessionState>;

/** The body of `PUT /api/two_step`. */
export const confirmBody = z.extend(codeSchema, {
  /** True: the code is from the present app, which stays, even if a new setup was begun. */
  keepApp: z._default(z.boolean(), false),
});

/** Two-step sign-in of the user's own account. */
export const twoStepState = z.object({
  enabled: z.boolean(),
  /** True if the user's role requires it. */
  required: z.boolean(),
  recoveryCodesLeft: z.int(),
});
export type TwoStepState = z.output<typeof twoStepState>;

/** The secret for an authenticator app, as text, as a URI and as a picture (SVG) of the URI. */
export const twoStepSetUp = z.object({ secret: z.string(), uri: z.string(), qr: z.string() });
export type TwoStepSetUp = z.output<typeof twoStepSetUp>;
