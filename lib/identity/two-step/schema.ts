import { z } from "zod/mini";
import { secret } from "@/lib/core/fields/vocabulary";
import { REQUIRED } from "@/lib/core/fields/words";
import { USER_LABELS } from "@/lib/identity/words";

/** More than the length of any code or recovery code, with room for spaces. */
const MOST_LETTERS = 100;
const typed = () => z.string().check(z.maxLength(MOST_LETTERS, { error: "is too long" }), z.trim());

/** The code of a sign-in, which accounts without two-step sign-in omit. */
export const optionalCode = () => secret(USER_LABELS.code, z.nullish(typed()));

export const codeSchema = z.object({
  otp: secret(USER_LABELS.code, typed().check(z.minLength(1, { error: REQUIRED }))),
});

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
