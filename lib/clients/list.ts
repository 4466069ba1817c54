import "server-only";
import type { clientListQuery } from "@/lib/clients/api-schema";
import { nameSearch } from "@/lib/clients/names";
import type { SessionUser } from "@/lib/core/access/permissions";
import { visibleClientsWhere } from "@/lib/core/access/scope";
import { textKey } from "@/lib/core/database/folded";
import type { List, Sort } from "@/lib/core/database/list";
import { type Sql, sql } from "@/lib/core/sql";

export type ClientListQuery = ReturnType<typeof clientListQuery.parse>;

/**
 * Returns the sort by the advocate's name. Ranks are cheaper to sort by than names, and differ for equal names.
 */
export const byAdvocate = (userId: Sql): Sort => ({
  join: sql`JOIN (SELECT id, row_number() OVER (ORDER BY ${textKey(sql`first_name || ' ' || last_name`)}, id) AS place FROM users)
    AS advocates ON advocates.id = ${userId}`,
  keys: [sql`advocates.place`],
});

/** Returns the list of the clients the actor may see, under the query's filters. */
export function clientsList(actor: SessionUser, query: ClientListQuery): List {
  const { userId } = query.filters;
  return {
    name: "clients",
    from: sql`clients c`,
    id: sql`c.id`,
    joins: sql`JOIN users u ON u.id = c.user_id`,
    item: sql`json_build_object('id', c.id, 'name', c.name, 'userId', c.user_id, 'createdOn', c.created_on,
      'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name))`,
    where: [visibleClientsWhere(actor), ...(userId === null ? [] : [sql`c.user_id = ${userId}`])],
    sorts: {
      name: { keys: [sql`c.name_folded`] },
      advocate: byAdvocate(sql`c.user_id`),
      createdOn: { keys: [sql`c.created_on`] },
    },
    search: (search) => nameSearch(search, { name: sql`c.name_folded`, clientId: sql`c.id` }),
  };
}
