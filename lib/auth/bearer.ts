import "server-only";
import { tokenHash } from "@/lib/accounts/token";
import { unwritableReason } from "@/lib/api/errors";
import type { ApiRequest } from "@/lib/api/request";
import { actorColumns, NO_SESSION } from "@/lib/auth/actor-columns";
import type { SessionUser } from "@/lib/auth/permissions";
import type { Actor } from "@/lib/auth/session";
import { AWAITS_TWO_STEP } from "@/lib/auth/two-step";
import { rows } from "@/lib/database/client";
import { today } from "@/lib/fields/format";
import { noteUser } from "@/lib/server/request-context";
import { subnetsOf } from "@/lib/server/subnets";

/** How a token begins, by which people and scanners of leaked secrets know it. */
export const TOKEN_PREFIX = "cb_";

/**
 * The program's token that came with a request; null without one. Other schemes and other bearer tokens are those of a
 * proxy in front, and no concern of ours.
 */
export function bearerToken(request: ApiRequest): string | null {
  const [, token = null] = /^Bearer +(cb_\S*)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  return token;
}

/** The condition that the token `t` of the user `u` has not ended; `day` is the placeholder of today. */
export function tokenStands(day: string): string {
  return `u.device_generation = t.generation AND t.expires_on >= ${day}::date
    AND EXISTS (SELECT FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
      WHERE rp.role_id = u.role_id AND p.name = 'API Tokens')`;
}

/** $1: the hash, $2: today. The permissions are those of the token that its owner holds at this moment. */
const TOKEN_SQL = `
  SELECT t.id AS "tokenId", t.name AS "tokenName", t.addresses, t.last_used_on IS DISTINCT FROM $2::date AS stale,
    ${actorColumns("p.id = ANY(t.permission_ids)")},
    -- Whoever is linked with single sign-on has their second step there.
    u.sso_subject IS NULL AND ${AWAITS_TWO_STEP} AS "twoStepRequired"
  FROM api_tokens t JOIN users u ON u.id = t.user_id
  WHERE t.token_hash = $1 AND u.active AND u.activated_at IS NOT NULL AND ${tokenStands("$2")}`;
type TokenRow = SessionUser & { tokenId: number; tokenName: string; addresses: string[]; stale: boolean };

/**
 * The actor of a program's token that is used from `address` (contract §11); null if the token is unknown, ended or
 * past its last day, if it may not be used from there, or if its owner is deactivated or no longer holds API Tokens.
 */
export async function actorOfToken(token: string, address: string): Promise<Actor | null> {
  const day = today();
  const [row] = await rows<TokenRow>(TOKEN_SQL, [tokenHash(token), day]);
  if (!row) return null;
  const { tokenId, tokenName, addresses, stale, ...user } = row;
  if (addresses.length > 0 && !subnetsOf(addresses)(address)) return null;
  noteUser(user.userId);
  if (stale) await noteUse(tokenId, day);
  return { ...user, ...NO_SESSION, token: { id: tokenId, name: tokenName } };
}

/** The day alone, so that a busy program costs one write a day. Failing to write must not stop reads. */
async function noteUse(id: number, day: string): Promise<void> {
  await rows("UPDATE api_tokens SET last_used_on = $2 WHERE id = $1", [id, day]).catch((error) => {
    if (!unwritableReason(error)) throw error;
  });
}
