import * as z from "zod/mini";
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
