import "server-only";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { env } from "@/lib/server/env";

export type TokenKind = "activation" | "reset";

/** How long a link lives, in hours: 7 days and 1 hour (contract §3), from the moment its mail is sent. */
export const TOKEN_HOURS: Record<TokenKind, number> = { activation: 7 * 24, reset: 1 };

/** What is stored of a token. */
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex");

export const randomToken = (): string => randomBytes(32).toString("base64url");

/**
 * The token of a mail's link. It can be made again at every attempt to send the mail, so that it is never
 * stored, and cannot be made by anyone who only reads the database.
 */
export const mailedToken = (messageId: string): string =>
  createHmac("sha256", env().AUTH_SECRET).update(`token of mail ${messageId}`).digest("base64url");
