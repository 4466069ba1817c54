import "server-only";
import type { SessionUser } from "@/lib/auth/permissions";
import { userOptions } from "@/lib/lookups/resources/data";
import { restrictionsOf } from "@/lib/restrictions/data";

/** From whom a client is hidden and could be, for a page that has read the client for the actor. */
export async function hiddenFrom(actor: SessionUser, clientId: number) {
  const [restrictions, users] = await Promise.all([restrictionsOf(actor, clientId), userOptions(actor)]);
  const left = [actor.userId, ...restrictions.map(({ user }) => user.id)];
  return { restrictions, colleagues: users.filter(({ id }) => !left.includes(id)) };
}
