import "server-only";
import { actorColumns, NO_SESSION } from "@/lib/auth/actor-columns";
import { tokenStands } from "@/lib/auth/bearer";
import type { SessionUser } from "@/lib/auth/permissions";
import type { Actor } from "@/lib/auth/session";
import { rows } from "@/lib/database/client";
import { today } from "@/lib/fields/format";

type UserRow = Omit<SessionUser, "twoStepRequired"> & { tokenName: string };

/**
 * The user for whom work goes on in the background, with what they hold now; null once they may no longer sign in. Work
 * that a program's token began goes on with what that still allows; null once it has ended.
 */
export async function actorOfUser(userId: number, tokenId: number | null = null): Promise<Actor | null> {
  const [row] = await rows<UserRow>(
    `SELECT ${actorColumns("(t.id IS NULL OR p.id = ANY(t.permission_ids))")}, t.name AS "tokenName"
     FROM users u LEFT JOIN api_tokens t ON t.id = $2::int AND t.user_id = u.id AND ${tokenStands("$3")}
     WHERE u.id = $1 AND u.active AND u.activated_at IS NOT NULL AND ($2::int IS NULL OR t.id IS NOT NULL)`,
    [userId, tokenId, today()],
  );
  if (!row) return null;
  const { tokenName, ...user } = row;
  const token = tokenId === null ? undefined : { id: tokenId, name: tokenName };
  return { ...user, ...NO_SESSION, twoStepRequired: false, token };
}
