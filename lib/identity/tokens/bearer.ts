import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { ApiRequest } from "@/lib/core/api/request";
import { rows } from "@/lib/core/database/client";
import { ensureDefinitions } from "@/lib/core/database/definitions";
import { unwritableReason } from "@/lib/core/database/errors";
import { noteUser } from "@/lib/core/process/request-context";
import { subnetsOf } from "@/lib/core/process/subnets";
import { type Sql, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { actorColumns, NO_SESSION } from "@/lib/identity/actor-columns";
import { tokenHash } from "@/lib/identity/mail/link-token";
import type { Actor } from "@/lib/identity/session";
import { AWAITS_TWO_STEP } from "@/lib/identity/two-step/codes";

/** The prefix of a token, which people and secret scanners recognize. */
export const TOKEN_PREFIX = "lb_";
const OURS = new RegExp(`^Bearer +(${TOKEN_PREFIX}\\S*)$`, "i");

/**
 * Returns the program's token of a request; null without one. Other schemes and other bearer tokens belong to a proxy
 * in front of the server, and are ignored.
 */
export function bearerToken(request: ApiRequest): string | null {
  const [, token = null] = OURS.exec(request.headers.get("authorization") ?? "") ?? [];
  return token;
}

/** Returns the condition that the token `t` of the user `u` has not ended; `day` is today. */
export function tokenIsValidSql(day: string): Sql {
  return sql`u.device_generation = t.generation AND t.expires_on >= ${day}::date
    AND EXISTS (SELECT FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
      WHERE rp.role_id = u.role_id AND p.name = 'API Tokens')`;
}

/** Reads a token by its hash. The permissions are those of the token that its owner holds now. */
const tokenSql = (hash: ReturnType<typeof tokenHash>, day: string) => sql`
  SELECT t.id AS "tokenId", t.name AS "tokenName", t.addresses, t.last_used_on IS DISTINCT FROM ${day}::date AS stale,
    ${actorColumns(sql`p.id = ANY(t.permission_ids)`)},
    -- Users linked with single sign-on have their second step there.
    u.sso_subject IS NULL AND ${AWAITS_TWO_STEP} AS "twoStepRequired"
  FROM api_tokens t JOIN users u ON u.id = t.user_id
  WHERE t.token_hash = ${hash} AND u.active AND u.activated_at IS NOT NULL AND ${tokenIsValidSql(day)}`;
type TokenRow = SessionUser & {
  tokenId: number;
  tokenName: string;
  addresses: string[];
  stale: boolean;
  definitionsVersion: number;
};

/**
 * Returns the actor of a program's token that is used from `address`. Null if the token is unknown, ended or expired,
 * or if it may not be used from there. Also null if its owner is deactivated or no longer holds API Tokens.
 */
export async function actorOfToken(token: string, address: string): Promise<Actor | null> {
  const day = today();
  const [row] = await rows<TokenRow>(tokenSql(tokenHash(token), day));
  if (!row) return null;
  const { tokenId, tokenName, addresses, stale, definitionsVersion, ...user } = row;
  if (addresses.length > 0 && !subnetsOf(addresses)(address)) return null;
  noteUser(user.userId);
  if (stale) await noteUse(tokenId, day);
  await ensureDefinitions(definitionsVersion);
  return { ...user, ...NO_SESSION, token: { id: tokenId, name: tokenName } };
}

/** Stores only the day, so that a busy program costs one write a day. A failed write must not stop reads. */
async function noteUse(id: number, day: string): Promise<void> {
  await rows(sql`UPDATE api_tokens SET last_used_on = ${day} WHERE id = ${id}`).catch((error) => {
    if (!unwritableReason(error)) throw error;
  });
}
