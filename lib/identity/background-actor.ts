import "server-only";
import type { SessionUser } from "@/lib/core/access/permissions";
import { rows } from "@/lib/core/database/client";
import { ensureDefinitions } from "@/lib/core/database/definitions";
import { sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { actorColumns, NO_SESSION } from "@/lib/identity/actor-columns";
import type { Actor } from "@/lib/identity/session";
import { tokenIsValidSql } from "@/lib/identity/tokens/bearer";

type UserRow = Omit<SessionUser, "twoStepRequired"> & { tokenName: string; definitionsVersion: number };

/**
 * Returns the actor of background work, with current permissions; null if the user may no longer sign in. With
 * `tokenId`, returns only the permissions of that token; null if it has expired.
 */
export async function actorOfUser(userId: number, tokenId: number | null): Promise<Actor | null> {
  const [row] = await rows<UserRow>(
    sql`SELECT ${actorColumns(sql`(t.id IS NULL OR p.id = ANY(t.permission_ids))`)}, t.name AS "tokenName"
     FROM users u LEFT JOIN api_tokens t ON t.id = ${tokenId}::int AND t.user_id = u.id AND ${tokenIsValidSql(today())}
     WHERE u.id = ${userId} AND u.active AND u.activated_at IS NOT NULL AND (${tokenId}::int IS NULL OR t.id IS NOT NULL)`,
  );
  if (!row) return null;
  const { tokenName, definitionsVersion, ...user } = row;
  await ensureDefinitions(definitionsVersion);
  const token = tokenId === null ? undefined : { id: tokenId, name: tokenName };
  return { ...user, ...NO_SESSION, twoStepRequired: false, token };
}
