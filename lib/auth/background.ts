import "server-only";
import { tokenStands } from "@/lib/auth/bearer";
import type { NamedItem } from "@/lib/auth/permissions";
import { HIDDEN_CLIENTS } from "@/lib/auth/scope";
import type { Actor } from "@/lib/auth/session";
import { rows } from "@/lib/database/client";
import { today } from "@/lib/fields/format";

type UserRow = {
  first_name: string;
  last_name: string;
  email: string;
  permissions: NamedItem[];
  hidden_clients: number[];
  token_name: string | null;
};

/**
 * The user for whom work goes on in the background, with what they hold now; null once they may no longer sign in. Work
 * that a program's token began goes on with what that still allows; null once it has ended.
 */
export async function actorOfUser(userId: number, tokenId: number | null = null): Promise<Actor | null> {
  const [row] = await rows<UserRow>(
    `SELECT u.first_name, u.last_name, u.email, t.name AS token_name, ${HIDDEN_CLIENTS} AS hidden_clients,
       COALESCE((SELECT json_agg(json_build_object('id', p.id, 'name', p.name) ORDER BY p.id)
         FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id WHERE rp.role_id = u.role_id
           AND (t.id IS NULL OR p.id = ANY(t.permission_ids))), '[]') AS permissions
     FROM users u LEFT JOIN api_tokens t ON t.id = $2::int AND t.user_id = u.id AND ${tokenStands("$3")}
     WHERE u.id = $1 AND u.active AND u.activated_at IS NOT NULL AND ($2::int IS NULL OR t.id IS NOT NULL)`,
    [userId, tokenId, today()],
  );
  return (
    (row && {
      ...{ sessionId: "", userId, firstName: row.first_name, lastName: row.last_name, email: row.email },
      ...{ permissions: row.permissions, proven: false, twoStepRequired: false, singleSignOn: false },
      hiddenClients: row.hidden_clients,
      ...(tokenId !== null && { token: { id: tokenId, name: row.token_name ?? "" } }),
    }) ??
    null
  );
}
