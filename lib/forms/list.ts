import "server-only";
import type { SessionUser } from "@/lib/auth/permissions";
import { visibleForms, visibleFormsWhere } from "@/lib/auth/scope";
import type { Bind } from "@/lib/database/bind";
import type { List } from "@/lib/database/list";
import { nameSearch } from "@/lib/database/names";
import type { formListQuery } from "@/lib/forms/schema";

export type FormListQuery = ReturnType<typeof formListQuery.parse>;

/** The list of the forms that the actor may see, under the query's filters (spec §7, contract §9). */
export function formsList(actor: SessionUser, query: FormListQuery): List {
  const { formStatus, userId, formTypeId, serviceStatus, clientId, from, to, returned } = query.filters;
  const narrow = userId !== null || clientId !== null || visibleForms(actor).userId !== undefined;
  const period = (bind: Bind) =>
    `f.service_on BETWEEN ${bind(from ?? "-infinity")} AND ${bind(to ?? "infinity")}`;
  const inPeriod = from !== null || to !== null;
  // Most indexes hold the day beside the sorted column; a single client has few forms, which are sorted in memory.
  const onTheWay = clientId !== null || query.sort !== "client";
  const ofKind = formTypeId !== null || serviceStatus !== null;
  const untallied = returned || clientId !== null || (ofKind && inPeriod) || actor.hiddenClients.length > 0;
  const tallies = ofKind ? "forms by kind" : inPeriod ? "forms by day" : "forms";
  // The tallies by kind and by day name no user.
  const isTallied = !untallied && (tallies === "forms" || !narrow);
  return {
    name: "forms",
    from: "forms f",
    alias: "f",
    parts: formStatus === "all" ? ["NOT f.reconciled", "f.reconciled"] : undefined,
    joins: `JOIN clients c ON c.id = f.client_id JOIN users u ON u.id = f.user_id
      JOIN form_types t ON t.id = f.form_type_id`,
    item: `json_build_object('id', f.id, 'serviceStatus', f.service_status, 'serviceOn', f.service_on,
      'reconciled', f.reconciled, 'client', json_build_object('id', c.id, 'name', c.name, 'purged', c.purged),
      'user', json_build_object('id', u.id, 'firstName', u.first_name, 'lastName', u.last_name),
      'formType', json_build_object('id', t.id, 'name', t.name))`,
    where: (bind) => [
      visibleFormsWhere(actor, bind),
      ...(formStatus === "all" ? [] : [`f.reconciled = ${bind(formStatus === "reconciled")}`]),
      ...(userId === null ? [] : [`f.user_id = ${bind(userId)}`]),
      ...(formTypeId === null ? [] : [`f.form_type_id = ${bind(formTypeId)}`]),
      ...(serviceStatus === null ? [] : [`f.service_status = ${bind(serviceStatus)}`]),
      ...(clientId === null ? [] : [`f.client_id = ${bind(clientId)}`]),
      ...(returned ? ["f.returned_at IS NOT NULL"] : []),
      ...(inPeriod && onTheWay ? [period(bind)] : []),
    ],
    apart: inPeriod && !onTheWay ? period : undefined,
    tallied: isTallied ? tallies : undefined,
    sorts: {
      client: "f.client_name",
      advocate: {
        key: "f.user_id",
        from: "users g",
        id: "g.id",
        name: "lower(g.first_name || ' ' || g.last_name)",
      },
      formType: { key: "f.form_type_id", from: "form_types g", id: "g.id", name: "lower(g.name)" },
      serviceStatus: "f.service_status",
      serviceOn: "f.service_on",
    },
    ties: "f.service_on",
    search: (search) =>
      nameSearch(search, {
        table: "forms",
        alias: "f",
        name: "f.client_name",
        clientId: "f.client_id",
        joined: { from: "clients n JOIN forms f ON f.client_id = n.id", client: "n" },
        narrow,
      }),
  };
}
