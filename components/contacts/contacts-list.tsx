"use client";

import { useRouter } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { namedOptions } from "@/components/record/choices";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { IconLink, RemoveButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { ExportLinks } from "@/components/ui/export-links";
import { FormIcon, PencilIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { useNotify } from "@/components/ui/notifications";
import type { Column } from "@/components/ui/table-grid";
import { StackedFilters, TableDayFilter, TableFilter, useListState } from "@/components/ui/table-query";
import type { Contact } from "@/lib/contacts/api-schema";
import { CONTACT_LABELS, contactMessages } from "@/lib/contacts/words";
import { fullName, type NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import type { Meta } from "@/lib/core/api/list-query";
import { date, markedName, whole } from "@/lib/core/fields/format";
import { ADVOCATE_NAME, ALL_USERS } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import { isClosed } from "@/lib/forms/periods/closed";
import type { UserOption } from "@/lib/lookups/resources/schema";

/** `from` carries the state of the list, which a contact's page leads back to. */
const columnsFor = (users: readonly UserOption[] | null, from: string): Column<Contact>[] => [
  {
    key: "contactedOn",
    header: CONTACT_LABELS.contactedOn,
    sortable: true,
    holds: "moments",
    cell: ({ id, contactedOn }) => (
      <Link href={to("contactsEdit", { id }) + from} className="link">
        {date(contactedOn)}
      </Link>
    ),
  },
  {
    key: "contactKind",
    header: CONTACT_LABELS.contactKind,
    sortable: true,
    width: "rest",
    cell: ({ contactKind, formId }) =>
      formId === null ? (
        contactKind.name
      ) : (
        <>
          {contactKind.name}{" "}
          <Link href={to("formsEdit", { id: formId })} className="link">
            Form {formId}
          </Link>
        </>
      ),
  },
  {
    key: "number",
    header: CONTACT_LABELS.number,
    sortable: true,
    holds: "numbers",
    cell: ({ number }) => whole(number),
  },
  {
    key: "minutes",
    header: CONTACT_LABELS.minutes,
    sortable: true,
    holds: "numbers",
    cell: ({ minutes }) => whole(minutes),
  },
  {
    key: "advocate",
    header: ADVOCATE_NAME,
    sortable: true,
    // Without All Forms, every row has the user's own name.
    isWideOnly: users === null,
    cell: ({ user }) => markedName(fullName(user), users?.find(({ id }) => id === user.id)?.active),
  },
];

const rowName = ({ contactedOn, contactKind }: Contact) => `${contactKind.name}, ${date(contactedOn)}`;

/** The contacts list. `users` is set only for holders of All Forms. */
export function ContactsList({
  contacts,
  meta,
  failed,
  users,
  kinds,
  closedThrough,
  startsForms,
  mayExport,
}: {
  contacts: Contact[];
  meta: Meta;
  failed: string | string[] | null;
  users: UserOption[] | null;
  kinds: NamedItem[];
  /** The last day of the closed period, or null. */
  closedThrough: string | null;
  startsForms: boolean;
  mayExport: boolean;
}) {
  const router = useRouter();
  const notify = useNotify();
  const from = useListState();
  const columns = useMemo(() => columnsFor(users, from), [users, from]);
  const [removing, setRemoving] = useState<Contact | null>(null);

  // Kept stable: a new function would render the cells again and lose their focus.
  const rowActions = useCallback(
    (contact: Contact) => {
      const { id, number, formId, contactedOn } = contact;
      if (isClosed(contactedOn, closedThrough)) return null;
      return (
        <>
          {startsForms && number === 1 && formId === null && (
            <IconLink label="Start a form" icon={<FormIcon />} href={`${to("formsNew")}?contactId=${id}`} />
          )}
          <IconLink label="Edit" icon={<PencilIcon />} href={to("contactsEdit", { id }) + from} />
          <RemoveButton onClick={() => setRemoving(contact)} />
        </>
      );
    },
    [from, closedThrough, startsForms],
  );

  async function remove() {
    if (!removing) return;
    await call("DELETE /api/contacts/{id}", { params: { id: removing.id } });
    notify.success(contactMessages.removed);
    router.refresh();
  }

  return (
    <>
      <DataTable
        label="Contacts"
        columns={columns}
        rows={contacts}
        meta={meta}
        failed={failed}
        compact
        toolbar={
          <StackedFilters>
            {users && (
              <TableFilter
                name="userId"
                label="User"
                stacked
                placeholder={ALL_USERS}
                options={namedOptions(users)}
              />
            )}
            <TableFilter
              name="contactKindId"
              label={CONTACT_LABELS.contactKind}
              stacked
              placeholder="-- All Kinds --"
              options={namedOptions(kinds)}
            />
            <TableDayFilter name="from" label="From" />
            <TableDayFilter name="to" label="To" />
          </StackedFilters>
        }
        actions={mayExport && <ExportLinks path="/api/contacts" />}
        rowActions={rowActions}
        rowName={rowName}
        empty={<p>No contacts yet. Record the first one above.</p>}
      />
      <ConfirmDelete
        label={removing ? `contact ${removing.id} from ${date(removing.contactedOn)}` : ""}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onDelete={remove}
      />
    </>
  );
}
