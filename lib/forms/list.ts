import "server-only";
import { byAdvocate } from "@/lib/clients/list";
import { nameSearch } from "@/lib/clients/names";
import type { SessionUser } from "@/lib/core/access/permissions";
import { visibleFormsWhere } from "@/lib/core/access/scope";
import { textKey } from "@/lib/core/database/folded";
import type { List } from "@/lib/core/database/list";
import { type Sql, sql } from "@/lib/core/sql";
import type { formListQuery } from "@/lib/forms/api-schema";

export type FormListQuery = ReturnType<typeof formListQuery.parse>;

/** Returns the list of the forms that the actor may see, under the query's filters. */
export function formsList(actor: SessionUser, query: FormListQuery): List {
  return {
    name: "forms",
    from: sql`forms f`,
    id: sql`f.id`,
    // biome-ignore lint/plugin: joined to visible forms
    joins: sql`JOIN clients c ON c.id = f.client_id JOIN users u ON u.id = f.user_id
      JOIN form_types t ON t.id = f.form_type_id`,
    item: sql`json_build_object('id', f.id, 'serviceStatus', f.service_status, 'serviceOn', f.service_on,
      'reconciled', f.reconciled, 'isReturned', f.returned_at IS NOT NULL, 'client', json_build_object('id', c.id, 'name', c.name, 'purged', c.purged),
      'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name),
      'formType', json_build_object('id', t.id, 'name', t.name))`,
    where: [visibleFormsWhere(actor), ...filtersOf(actor, query)],
    sorts: {
      client: { keys: [sql`f.client_name`] },
      advocate: byAdvocate(sql`f.user_id`),
      formType: {
        join: sql`JOIN (SELECT id, row_number() OVER (ORDER BY ${textKey(sql`name`)}, id) AS place FROM form_types)
          AS types ON types.id = f.form_type_id`,
        keys: [sql`types.place`],
      },
      serviceStatus: { keys: [sql`f.service_status`] },
      serviceOn: { keys: [BY_DAY] },
    },
    ties: BY_DAY,
    search: (search) => nameSearch(search, { name: sql`f.client_name`, clientId: sql`f.client_id` }),
  };
}

const BY_DAY = sql`f.service_on`;

/** SQL condition on `f`: the actor returned the form, and its advocate has answered or changed it since. */
export const answeredWhere = (actor: SessionUser): Sql =>
  sql`f.answered_to_id = ${actor.userId} AND NOT f.reconciled`;

function* filtersOf(actor: SessionUser, { filters }: FormListQuery): Generator<Sql> {
  const { formStatus, userId, formTypeId, serviceStatus, clientId, from, to, returned, answered } = filters;
  // A literal, because the indexes of unreconciled forms do not serve a parameter.
  if (formStatus !== "all") yield formStatus === "reconciled" ? sql`f.reconciled` : sql`NOT f.reconciled`;
  if (userId !== null) yield sql`f.user_id = ${userId}`;
  if (formTypeId !== null) yield sql`f.form_type_id = ${formTypeId}`;
  if (serviceStatus !== null) yield sql`f.service_status = ${serviceStatus}`;
  if (clientId !== null) yield sql`f.client_id = ${clientId}`;
  if (returned) yield sql`f.returned_at IS NOT NULL`;
  if (answered) yield answeredWhere(actor);
  if (from !== null) yield sql`f.service_on >= ${from}::date`;
  if (to !== null) yield sql`f.service_on <= ${to}::date`;
}
