"use client";

import { useRouter } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { StatusBadge } from "@/components/ui/badge";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { IconButton, IconLink, LinkButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { CheckIcon, PencilIcon, PlusIcon, TrashIcon, UndoIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import type { Column } from "@/components/ui/table-grid";
import { TableFilter, useListState } from "@/components/ui/table-query";
import { call, messagesOf } from "@/lib/api/client";
import type { Meta } from "@/lib/api/list-query";
import { fullName, markedName } from "@/lib/auth/permissions";
import { capitalize, date } from "@/lib/fields/format";
import { FORM_STATUSES, type FormListItem, formMessages, serviceStatusBadge } from "@/lib/forms/schema";
import type { UserOption } from "@/lib/lookups/resources/schema";

const columnsFor = (users: UserOption[]): Column<FormListItem>[] => [
  { key: "client", header: "Client", sortable: true, cell: ({ client }) => client.name },
  {
    key: "advocate",
    header: "Advocate Name",
    sortable: true,
    cell: ({ user }) => markedName(fullName(user), users.find(({ id }) => id === user.id)?.active),
  },
  {
    key: "formType",
    header: "Form Type",
    sortable: true,
    // Leaves more room to the names, so that a row stays one line high.
    cell: ({ formType }) => <span className="whitespace-nowrap">{formType.name}</span>,
  },
  {
    key: "serviceStatus",
    header: "Service Status",
    sortable: true,
    cell: ({ serviceStatus }) => <StatusBadge badge={serviceStatusBadge(serviceStatus)} />,
  },
  { key: "serviceOn", header: "Service On", sortable: true, cell: ({ serviceOn }) => date(serviceOn) },
];

const statusOptions = FORM_STATUSES.map((status) => ({ value: status, label: capitalize(status) }));

/** The forms list (spec §2); `users` is set only for users who see everyone's forms. */
export function FormsList({
  forms,
  meta,
  failed,
  users,
}: {
  forms: FormListItem[];
  meta: Meta;
  failed: string | string[] | null;
  users: UserOption[] | null;
}) {
  const router = useRouter();
  const notify = useNotify();
  const from = useListState();
  const columns = useMemo(() => columnsFor(users ?? []), [users]);
  const [removing, setRemoving] = useState<FormListItem | null>(null);

  // Kept stable, because a new function renders the cells anew and loses their focus.
  const rowActions = useCallback(
    (form: FormListItem) => (
      <>
        <ReconcileButton form={form} />
        <IconLink label="Edit" icon={<PencilIcon />} href={`/forms/${form.id}/edit${from}`} />
        <IconButton label="Remove" icon={<TrashIcon />} onClick={() => setRemoving(form)} />
      </>
    ),
    [from],
  );

  async function remove() {
    if (!removing) return;
    await call("DELETE /api/forms/{id}", { params: { id: removing.id } });
    notify.success(formMessages.removed);
    router.refresh();
  }

  return (
    <>
      <DataTable
        label="Forms"
        columns={columns}
        rows={forms}
        meta={meta}
        failed={failed}
        toolbar={
          <>
            <TableFilter
              name="formStatus"
              label="Status"
              options={statusOptions}
              defaultValue="unreconciled"
            />
            {users && (
              <TableFilter
                name="userId"
                label="User"
                placeholder="-- All Users--"
                options={users.map((user) => ({ value: user.id, label: markedName(user.name, user.active) }))}
              />
            )}
          </>
        }
        actions={
          <LinkButton href={`/forms/new${from}`} variant="primary" data-new icon={<PlusIcon />}>
            New
          </LinkButton>
        }
        rowActions={rowActions}
        empty={<p>No unreconciled forms. Fill in a form with New.</p>}
      />
      <ConfirmDelete
        label={removing ? `form ${removing.id} of ${removing.client.name}` : ""}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onDelete={remove}
      />
    </>
  );
}

function ReconcileButton({ form: { id, reconciled } }: { form: FormListItem }) {
  const router = useRouter();
  const notify = useNotify();
  const [busy, setBusy] = useState(false);

  async function toggle() {
    setBusy(true);
    try {
      await call("POST /api/forms/{id}/reconcile", { params: { id }, body: { reconciled: !reconciled } });
      notify.success(reconciled ? formMessages.unreconciled : formMessages.reconciled);
      router.refresh();
    } catch (error) {
      const action = reconciled ? "unreconciled" : "reconciled";
      notify.error([`Form ${id} could not be ${action}.`, ...messagesOf(error)]);
    } finally {
      setBusy(false);
    }
  }

  return (
    <IconButton
      label={reconciled ? "Unreconcile Form" : "Reconcile Form"}
      icon={reconciled ? <UndoIcon /> : <CheckIcon />}
      busy={busy}
      onClick={toggle}
    />
  );
}
