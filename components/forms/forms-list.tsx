"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, useCallback, useMemo, useState } from "react";
import { FormFilters } from "@/components/forms/form-filters";
import { ClosedMark } from "@/components/forms/periods/closed-mark";
import { BulkReconcile } from "@/components/forms/review/bulk-reconcile";
import { useReconcile } from "@/components/forms/review/use-reconcile";
import { StatusBadge } from "@/components/ui/badge";
import { RowLink } from "@/components/ui/cell-text";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { IconButton, IconLink, LinkButton, RemoveButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLinks } from "@/components/ui/export-links";
import { onFirstClick } from "@/components/ui/first-click";
import { CheckIcon, FormIcon, PencilIcon, PlusIcon, UndoIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import type { Column } from "@/components/ui/table-grid";
import { useListState } from "@/components/ui/table-query";
import { SelectBox, SelectionProvider, useSelection } from "@/components/ui/table-selection";
import { useAttempt } from "@/components/ui/use-failure";
import { fullName, type NamedItem } from "@/lib/core/access/permissions";
import { call, messagesOf } from "@/lib/core/api/client";
import type { Meta } from "@/lib/core/api/list-query";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import { date, markedName, whole } from "@/lib/core/text/format";
import type { FormListItem } from "@/lib/forms/api-schema";
import { isClosed } from "@/lib/forms/periods/closed";
import { FORM_LABELS, formMessages, serviceStatusBadge } from "@/lib/forms/words";
import type { UserOption } from "@/lib/lookups/resources/schema";

/** A sign after the client's name, with its words for assistive technology and as a tooltip. */
const ReturnedSign = () => (
  <span title="Returned" className="print-hidden flex-none text-warning">
    <UndoIcon />
    <span className="sr-only">Returned</span>
  </span>
);

const columnsFor = (users: readonly UserOption[] | null, from: string): Column<FormListItem>[] => [
  {
    key: "client",
    header: "Client",
    sortable: true,
    isSelectable: true,
    cell({ id, client, formType, serviceOn, isReturned }) {
      const words = `${client.name}, ${formType.name}, ${date(serviceOn)}`;
      return (
        <span className="flex min-w-0 items-center gap-1.5">
          <SelectBox id={id} label={`Select ${words}`} />
          <RowLink href={to("formsView", { id }) + from} text={client.name} label={words} />
          {isReturned && <ReturnedSign />}
        </span>
      );
    },
  },
  {
    key: "advocate",
    header: ADVOCATE_NAME,
    sortable: true,
    // Without All Forms, every row has the user's own name.
    isWideOnly: users === null,
    cell: ({ user }) => markedName(fullName(user), users?.find(({ id }) => id === user.id)?.active),
  },
  {
    key: "formType",
    header: FORM_LABELS.formType,
    sortable: true,
    isInOther: true,
    cell: ({ formType }) => formType.name,
  },
  {
    key: "serviceStatus",
    header: FORM_LABELS.serviceStatus,
    sortable: true,
    cell: ({ serviceStatus }) => <StatusBadge badge={serviceStatusBadge(serviceStatus)} />,
  },
  {
    key: "serviceOn",
    header: FORM_LABELS.serviceOn,
    sortable: true,
    holds: "moments",
    cell: ({ serviceOn, formType }) => (
      <span data-lead="">
        <span className="@[40.01rem]:hidden">{`${formType.name} · `}</span>
        {date(serviceOn)}
      </span>
    ),
  },
];

/** The user, if they may not reconcile their own forms, and the last closed day; both otherwise null. */
type Refusals = { refusedUserId: number | null; closedThrough: string | null };

/** True if the user may reconcile or unreconcile the form. */
const isReviewable = ({ user, reconciled, serviceOn }: FormListItem, refusals: Refusals): boolean =>
  !isClosed(serviceOn, refusals.closedThrough) && (reconciled || user.id !== refusals.refusedUserId);

const rowName = ({ client }: FormListItem) => client.name;

/** The forms list. `users` is set only for holders of All Forms. */
export function FormsList({
  formStatus,
  forms,
  meta,
  failed,
  users,
  formTypes,
  refusals,
  mayExport,
}: {
  /** The reconciled status that the list is filtered by. */
  formStatus: string;
  forms: FormListItem[];
  meta: Meta;
  failed: string | string[] | null;
  users: UserOption[] | null;
  formTypes: NamedItem[];
  refusals: Refusals;
  mayExport: boolean;
}) {
  const router = useRouter();
  const notify = useNotify();
  const from = useListState();
  const [removing, setRemoving] = useState<FormListItem | null>(null);
  const { refusedUserId, closedThrough } = refusals;
  const columns = useMemo(() => columnsFor(users, from), [users, from]);
  const selection = useSelection(forms.map(({ id }) => id));
  const selected = forms.filter(({ id }) => selection.selected.has(id));

  // Memoized: a new function would render the cells again and lose their focus.
  const rowActions = useCallback(
    (form: FormListItem) =>
      isClosed(form.serviceOn, closedThrough) ? (
        <ClosedMark />
      ) : (
        <>
          {isReviewable(form, { refusedUserId, closedThrough }) && <ReconcileButton form={form} />}
          <IconLink label="Edit" icon={<PencilIcon />} href={to("formsEdit", { id: form.id }) + from} />
          <RemoveButton onClick={() => setRemoving(form)} />
        </>
      ),
    [from, refusedUserId, closedThrough],
  );

  async function remove() {
    if (!removing) return;
    await call("DELETE /api/forms/{id}", { params: { id: removing.id } });
    notify.success(formMessages.removed);
    router.refresh();
  }

  const create = (
    <LinkButton href={to("formsNew") + from} variant="primary" data-new icon={<PlusIcon />}>
      New
    </LinkButton>
  );

  return (
    <SelectionProvider selection={selection}>
      <DataTable
        label="Forms"
        columns={columns}
        rows={forms}
        meta={meta}
        failed={failed}
        compact
        toolbar={
          <FormFilters users={users} formTypes={formTypes} clientName={forms[0]?.client.name ?? null} />
        }
        actions={
          <>
            {users && formStatus === "unreconciled" && forms.length > 1 && (
              <ReadForms forms={forms} from={from} className="max-sm:hidden" />
            )}
            {mayExport && <ExportLinks path="/api/forms" />}
            {create}
          </>
        }
        selection={
          selected.length > 0 && (
            <BulkReconcile
              selected={selected}
              reviewable={selected.filter((form) => isReviewable(form, refusals))}
              onClear={() => selection.setAll(false)}
            >
              <ReadForms forms={selected} from={from} size="sm" />
            </BulkReconcile>
          )
        }
        rowActions={rowActions}
        rowName={rowName}
        noMatch={formStatus === "all" ? undefined : `No matching ${formStatus} forms.`}
        empty={
          <EmptyState icon={<FormIcon />} action={create}>
            No unreconciled forms.
          </EmptyState>
        }
      />
      <ConfirmDelete
        label={removing ? `form ${removing.id} of ${removing.client.name}` : ""}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onDelete={remove}
      />
    </SelectionProvider>
  );
}

/** Leads to the page that shows these forms to read and review. */
function ReadForms({
  forms,
  from,
  ...look
}: { forms: readonly FormListItem[]; from: string } & Pick<
  ComponentProps<typeof LinkButton>,
  "className" | "size"
>) {
  const ids = forms.map(({ id }) => id).join(",");
  return (
    <LinkButton {...look} href={`${to("formsReview")}${from ? `${from}&` : "?"}ids=${ids}`}>
      {forms.length === 1 ? "Review this form" : `Review these ${whole(forms.length)}`}
    </LinkButton>
  );
}

function ReconcileButton({ form }: { form: FormListItem }) {
  const { id, reconciled } = form;
  const router = useRouter();
  const notify = useNotify();
  const { busy, run } = useAttempt(notify.error);
  const { reconcileOne } = useReconcile();
  const label = reconciled ? "Unreconcile Form" : "Reconcile Form";

  const toggle = () =>
    run(
      async () => {
        await reconcileOne(form, !reconciled);
        router.refresh();
      },
      (error) => [
        `Form ${id} could not be ${reconciled ? "unreconciled" : "reconciled"}.`,
        ...messagesOf(error),
      ],
    );

  return (
    <IconButton
      label={label}
      data-word={reconciled ? "Unreconcile" : "Reconcile"}
      icon={reconciled ? <UndoIcon /> : <CheckIcon />}
      busy={busy}
      onClick={onFirstClick(toggle)}
    />
  );
}
