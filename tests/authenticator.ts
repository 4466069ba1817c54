import { Secret, TOTP } from "otpauth";

/** Returns the authenticator code for the secret, `steps` 30-second periods from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
