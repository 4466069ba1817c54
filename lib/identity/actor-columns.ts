import "server-only";
import { DEFINITIONS_VERSION } from "@/lib/core/database/definitions";
import { type Sql, sql } from "@/lib/core/sql";

/**
 * SQL for the ids of the clients who are hidden from the user `u`. They are read with the actor, so that conditions of
 * lib/core/access/scope.ts name clients only for users with restrictions.
 */
const HIDDEN_CLIENTS = sql`ARRAY(SELECT r.client_id FROM client_restrictions r WHERE r.user_id = u.id ORDER BY 1)`;

/**
 * SQL for the properties of an `Actor`, by name, from the user `u`, and for the version of the field definitions.
 * `granted` is a condition on the permissions `p` of the user's role.
 */
export const actorColumns = (granted = sql`TRUE`): Sql =>
  sql`u.id AS "userId", u.first_name AS "firstName", u.last_name AS "lastName", u.email::text,
    ${HIDDEN_CLIENTS} AS "hiddenClients",
    COALESCE((SELECT json_agg(json_build_object('id', p.id, 'name', p.name) ORDER BY p.id)
      FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
      WHERE rp.role_id = u.role_id AND ${granted}), '[]') AS permissions, ${DEFINITIONS_VERSION}`;

/** The properties of an actor without a session: a program, or work in the background. */
export const NO_SESSION = { sessionId: "", proven: false, singleSignOn: false };
