"use client";

import { useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { IconButton, IconLink, LinkButton } from "@/components/ui/controls";
import { type Column, DataTable, useTableQuery } from "@/components/ui/data-table";
import { KeyIcon, PencilIcon, PlusIcon, TrashIcon } from "@/components/ui/icons";
import { Markdown } from "@/components/ui/markdown";
import { useNotify } from "@/components/ui/notifications";
import { api, messagesOf } from "@/lib/api-client";
import { inSentence, type Lookup, type LookupKey, lookups } from "@/lib/lookups/registry";
import type { LookupRow } from "@/lib/lookups/schema";
import type { Meta } from "@/lib/paging";

/** The list screen of every settings list (spec §2), made from its entry in the registry. */
export function LookupList({ list, rows, meta }: { list: LookupKey; rows: LookupRow[]; meta: Meta }) {
  const { title, messages, action }: Lookup = lookups[list];
  const notify = useNotify();
  const query = useTableQuery();
  const [removing, setRemoving] = useState<LookupRow | null>(null);
  const [acting, setActing] = useState<number | null>(null);
  // Handed to the forms, so that they lead back to where the list was left.
  const state = useSearchParams().toString();
  const from = state && `?from=${encodeURIComponent(state)}`;

  const columns = useMemo(() => {
    const { columns }: Lookup = lookups[list];
    return columns.map(
      ({ key, label, format }): Column<LookupRow> => ({
        key,
        header: label,
        sortable: true,
        cell: (row) => (format === "markdown" ? <Markdown text={String(row[key])} /> : row[key]),
      }),
    );
  }, [list]);

  async function remove({ id }: LookupRow) {
    await api("DELETE", `/api/${list}/${id}`);
    notify.success(messages.removed);
    if (rows.length === 1 && meta.page > 1) query.set({ page: String(meta.page - 1) }, "replace");
    else query.refresh();
  }

  async function act(id: number, { path, done }: NonNullable<Lookup["action"]>) {
    setActing(id);
    try {
      await api("POST", `/api/${list}/${id}/${path}`);
      notify.success(done);
    } catch (error) {
      notify.error(messagesOf(error));
    } finally {
      setActing(null);
    }
  }

  return (
    <>
      <DataTable
        label={title}
        columns={columns}
        rows={rows}
        meta={meta}
        search
        actions={
          <LinkButton href={`/settings/${list}/new${from}`} variant="primary" icon={<PlusIcon />}>
            New
          </LinkButton>
        }
        rowActions={(row) => (
          <>
            {action && (
              <IconButton
                label={action.title}
                icon={<KeyIcon />}
                busy={acting === row.id}
                onClick={() => act(row.id, action)}
              />
            )}
            <IconLink label="Edit" icon={<PencilIcon />} href={`/settings/${list}/${row.id}/edit${from}`} />
            <IconButton label="Remove" icon={<TrashIcon />} onClick={() => setRemoving(row)} />
          </>
        )}
        empty={<p>No {inSentence(title)} yet. Add the first with New.</p>}
      />
      <ConfirmDelete
        label={removing?.label ?? ""}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onDelete={async () => {
          if (removing) await remove(removing);
        }}
      />
    </>
  );
}
