import "server-only";
import type { NamedItem } from "@/lib/auth/permissions";
import { HIDDEN_CLIENTS } from "@/lib/auth/scope";
import type { Actor } from "@/lib/auth/session";
import { rows } from "@/lib/database/client";

type UserRow = {
  first_name: string;
  last_name: string;
  email: string;
  permissions: NamedItem[];
  hidden_clients: number[];
};

/** The user for whom work goes on in the background, with what they hold now; null once they may no longer sign in. */
export async function actorOfUser(userId: number): Promise<Actor | null> {
  const [row] = await rows<UserRow>(
    `SELECT u.first_name, u.last_name, u.email, ${HIDDEN_CLIENTS} AS hidden_clients,
       COALESCE((SELECT json_agg(json_build_object('id', p.id, 'name', p.name) ORDER BY p.id)
         FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id WHERE rp.role_id = u.role_id), '[]') AS permissions
     FROM users u WHERE u.id = $1 AND u.active AND u.activated_at IS NOT NULL`,
    [userId],
  );
  return (
    (row && {
      ...{ sessionId: "", userId, firstName: row.first_name, lastName: row.last_name, email: row.email },
      ...{ permissions: row.permissions, proven: false, twoStepRequired: false, singleSignOn: false },
      hiddenClients: row.hidden_clients,
    }) ??
    null
  );
}
