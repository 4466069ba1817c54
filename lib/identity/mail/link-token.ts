import "server-only";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { keyFor } from "@/lib/core/server/cipher";
import { INVITATION_DAYS } from "@/lib/identity/invitation";

export type TokenKind = "activation" | "reset";

/** How long a link works, in hours, counted from when its mail is sent. */
export const TOKEN_HOURS: Record<TokenKind, number> = { activation: INVITATION_DAYS * 24, reset: 1 };

/** Only this hash of a token is stored. */
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

export const randomToken = (): string => randomBytes(32).toString("base64url");

/**
 * The token in a mail's link. It is derived again at each attempt to send the mail, so that it need not be stored, and
 * it cannot be derived from the database alone.
 */
export const mailedToken = (messageId: string): string =>
  createHmac("sha256", keyFor("mail links v1")).update(messageId).digest("base64url");
