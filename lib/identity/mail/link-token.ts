import "server-only";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { keyFor } from "@/lib/core/process/cipher";
import { INVITATION_DAYS } from "@/lib/identity/invitation";

export type TokenKind = "activation" | "reset";

/** The number of hours for which a link works after its mail is sent. */
export const TOKEN_HOURS: Record<TokenKind, number> = { activation: INVITATION_DAYS * 24, reset: 1 };

/** Returns the hash of a token; only this hash is stored. */
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

export const randomToken = (): string => randomBytes(32).toString("base64url");

/**
 * Returns the token in a mail's link. It is derived again for each attempt to send the mail, so it need not be stored.
 * The database alone is not enough to derive it.
 */
export const mailedToken = (messageId: string): string =>
  createHmac("sha256", keyFor("mail links v1")).update(messageId).digest("base64url");
