"use client";

import { useRouter } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { namedOptions } from "@/components/record/named-options";
import { RowLink } from "@/components/ui/cell-text";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { IconLink, LinkButton, RemoveButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLinks } from "@/components/ui/export-links";
import { PencilIcon, PeopleIcon, PlusIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import type { Column } from "@/components/ui/table-grid";
import { Filters, TableFilter, useListState } from "@/components/ui/table-query";
import type { ClientListItem } from "@/lib/clients/api-schema";
import { CLIENT_LABELS, clientMessages } from "@/lib/clients/words";
import { fullName } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import type { Meta } from "@/lib/core/api/list-query";
import { ADVOCATE_NAME, ALL_USERS } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import { date, markedName } from "@/lib/core/text/format";
import type { UserOption } from "@/lib/lookups/resources/schema";

/** `from` carries the state of the list, which the client's pages lead back to. */
const columnsFor = (users: UserOption[], from: string): Column<ClientListItem>[] => [
  {
    key: "name",
    header: CLIENT_LABELS.name,
    sortable: true,
    cell: ({ id, name }) => <RowLink href={to("clientsShow", { id }) + from} text={name} />,
  },
  {
    key: "advocate",
    header: ADVOCATE_NAME,
    sortable: true,
    cell: ({ user }) => markedName(fullName(user), users.find(({ id }) => id === user.id)?.active),
  },
  {
    key: "createdOn",
    header: CLIENT_LABELS.createdOn,
    sortable: true,
    holds: "moments",
    cell: ({ createdOn }) => date(createdOn),
  },
];

const rowName = ({ name }: ClientListItem) => name;

export function ClientsList({
  clients,
  meta,
  failed,
  users,
  mayExport,
}: {
  clients: ClientListItem[];
  meta: Meta;
  failed: string | string[] | null;
  users: UserOption[];
  mayExport: boolean;
}) {
  const router = useRouter();
  const notify = useNotify();
  const from = useListState();
  const columns = useMemo(() => columnsFor(users, from), [users, from]);
  const [removing, setRemoving] = useState<ClientListItem | null>(null);

  // Memoized: a new function would render the cells again and lose their focus.
  const rowActions = useCallback(
    (client: ClientListItem) => (
      <>
        <IconLink label="Edit" icon={<PencilIcon />} href={to("clientsEdit", { id: client.id }) + from} />
        <RemoveButton onClick={() => setRemoving(client)} />
      </>
    ),
    [from],
  );

  async function remove() {
    if (!removing) return;
    await call("DELETE /api/clients/{id}", { params: { id: removing.id } });
    notify.success(clientMessages.removed);
    router.refresh();
  }

  const create = (
    <LinkButton href={to("clientsNew") + from} variant="primary" data-new icon={<PlusIcon />}>
      New
    </LinkButton>
  );

  return (
    <>
      <DataTable
        label="Clients"
        columns={columns}
        rows={clients}
        meta={meta}
        failed={failed}
        search
        compact
        toolbar={
          <Filters>
            <TableFilter name="userId" label="User" placeholder={ALL_USERS} options={namedOptions(users)} />
          </Filters>
        }
        actions={
          <>
            {mayExport && <ExportLinks path="/api/clients" />}
            {create}
          </>
        }
        rowActions={rowActions}
        rowName={rowName}
        empty={
          <EmptyState icon={<PeopleIcon />} action={create}>
            No clients yet.
          </EmptyState>
        }
      />
      <ConfirmDelete
        label={removing?.name ?? ""}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onDelete={remove}
      />
    </>
  );
}
