import "server-only";
import type { SessionUser } from "@/lib/auth/permissions";
import { visibleClientsWhere } from "@/lib/auth/scope";
import type { clientListQuery } from "@/lib/clients/schema";
import type { List } from "@/lib/database/list";
import { nameSearch } from "@/lib/database/names";

export type ClientListQuery = ReturnType<typeof clientListQuery.parse>;

/** The list of the clients that the actor may see, under the query's filters (spec §7). */
export function clientsList(actor: SessionUser, query: ClientListQuery): List {
  const { userId } = query.filters;
  return {
    name: "clients",
    from: "clients c",
    alias: "c",
    joins: "JOIN users u ON u.id = c.user_id",
    item: `json_build_object('id', c.id, 'name', c.name, 'userId', c.user_id, 'createdOn', c.created_on,
      'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name))`,
    where: (bind) => [
      visibleClientsWhere(actor, bind),
      ...(userId === null ? [] : [`c.user_id = ${bind(userId)}`]),
    ],
    tallied: actor.hiddenClients.length === 0 ? "clients" : undefined,
    sorts: {
      name: "c.name_folded",
      advocate: {
        key: "c.user_id",
        from: "users g",
        id: "g.id",
        name: "lower(g.first_name || ' ' || g.last_name)",
      },
      createdOn: "c.created_on",
    },
    search: (search) =>
      nameSearch(search, {
        table: "clients",
        alias: "c",
        name: "c.name_folded",
        clientId: "c.id",
        joined: { from: "clients c", client: "c" },
        narrow: userId !== null,
      }),
  };
}
