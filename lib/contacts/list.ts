import "server-only";
import { byAdvocate } from "@/lib/clients/list";
import type { ContactListQuery } from "@/lib/contacts/api-schema";
import { contactSchema } from "@/lib/contacts/schema";
import type { SessionUser } from "@/lib/core/access/permissions";
import { knownFormOfContact, visibleContactsWhere } from "@/lib/core/access/scope";
import { namedItem, person } from "@/lib/core/api/response";
import { containsText, textKey } from "@/lib/core/database/folded";
import type { List } from "@/lib/core/database/list";
import { columnsJson, recordJson } from "@/lib/core/database/record-read";
import { type Sql, sql } from "@/lib/core/database/sql";

/** SQL for a whole contact as the API returns it (`contactResponse`), with this `user`; the row's alias is `ct`. */
export const contactJson = (
  actor: SessionUser,
  user = sql`(SELECT ${columnsJson(person, "owner")} FROM users owner WHERE owner.id = ct.user_id)`,
): Sql =>
  recordJson(contactSchema, "ct", {
    contacts: {
      contactKind: sql`(SELECT ${columnsJson(namedItem, "kind")} FROM contact_kinds kind WHERE kind.id = ct.contact_kind_id)`,
      formId: knownFormOfContact(actor),
      userId: sql`ct.user_id`,
      user,
    },
  });

const BY_DAY = sql`ct.contacted_on`;
const BY_KIND = sql`kinds.place`;

/** Returns the list of the contacts that the actor may see, under the query's filters. */
export function contactsList(actor: SessionUser, query: ContactListQuery): List {
  return {
    name: "contacts",
    from: sql`contacts ct`,
    id: sql`ct.id`,
    item: contactJson(actor),
    where: [visibleContactsWhere(actor), ...filtersOf(query)],
    sorts: {
      contactedOn: { keys: [BY_DAY] },
      contactKind: {
        join: sql`JOIN (SELECT id, row_number() OVER (ORDER BY ${textKey(sql`name`)}, id) AS place FROM contact_kinds)
          AS kinds ON kinds.id = ct.contact_kind_id`,
        keys: [BY_KIND],
      },
      number: { keys: [sql`ct.number`] },
      minutes: { keys: [sql`ct.minutes`] },
      advocate: byAdvocate(sql`ct.user_id`),
    },
    ties: BY_DAY,
    // Contacts have no names: the kind is the only word of a row.
    search: async (search) =>
      sql`ct.contact_kind_id IN (SELECT id FROM contact_kinds WHERE ${containsText(sql`name`, search)})`,
  };
}

function* filtersOf({ filters: { userId, contactKindId, from, to } }: ContactListQuery): Generator<Sql> {
  if (userId !== null) yield sql`ct.user_id = ${userId}`;
  if (contactKindId !== null) yield sql`ct.contact_kind_id = ${contactKindId}`;
  if (from !== null) yield sql`ct.contacted_on >= ${from}::date`;
  if (to !== null) yield sql`ct.contacted_on <= ${to}::date`;
}
