"use client";

import { useCallback, useMemo, useState } from "react";
import { type Badge, StatusBadge } from "@/components/ui/badge";
import { RowLink } from "@/components/ui/cell-text";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { IconButton, IconLink, LinkButton, RemoveButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLinks } from "@/components/ui/export-links";
import { GearIcon, KeyIcon, PencilIcon, PlusIcon } from "@/components/ui/icons";
import { Markdown } from "@/components/ui/markdown";
import { useNotify } from "@/components/ui/notifications";
import type { Column } from "@/components/ui/table-grid";
import { Filters, TableFilter, useListState, useTableQuery } from "@/components/ui/table-query";
import { useAttempt } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import type { Meta } from "@/lib/core/api/list-query";
import { to } from "@/lib/core/pages";
import { capitalize } from "@/lib/core/text/format";
import {
  columnsOf,
  inSentence,
  type Lookup,
  type LookupColumn,
  type LookupKey,
  lookupDone,
  lookups,
} from "@/lib/lookups/registry";
import type { LookupRow } from "@/lib/lookups/schema";

const HOLDS: Partial<Record<NonNullable<LookupColumn["format"]>, Column<LookupRow>["holds"]>> = {
  integer: "numbers",
  currency: "numbers",
  dateTime: "moments",
  yesNo: "booleans",
};

const rowName = ({ label }: LookupRow) => label;

/** The list screen of every settings list, built from its registry entry. */
export function LookupList({
  list,
  rows,
  meta,
  failed,
  mayExport,
}: {
  list: LookupKey;
  rows: LookupRow[];
  meta: Meta;
  failed: string | string[] | null;
  mayExport: boolean;
}) {
  const { title, action, filter, badges }: Lookup = lookups[list];
  const notify = useNotify();
  const query = useTableQuery();
  const [removing, setRemoving] = useState<LookupRow | null>(null);
  const from = useListState();

  const columns = useMemo(
    () =>
      columnsOf(list).map(
        ({ key, label, format }, at): Column<LookupRow> => ({
          key,
          header: label,
          sortable: true,
          holds: format && HOLDS[format],
          width: format === "markdown" ? "rest" : at > 0 ? "wide" : undefined,
          cell: (row) => {
            if (format === "markdown") return <Shortened text={String(row[key])} />;
            if (at > 0) return row[key];
            const href = to("listEdit", { list, id: row.id }) + from;
            return <RecordLink href={href} text={String(row[key])} badge={badges?.[row.status]} />;
          },
        }),
      ),
    [list, badges, from],
  );

  // Memoized: a new function would render the cells again and lose their focus.
  const rowActions = useCallback(
    (row: LookupRow) => (
      <>
        {action && <RowAction row={row} action={action} />}
        <IconLink label="Edit" icon={<PencilIcon />} href={to("listEdit", { list, id: row.id }) + from} />
        <RemoveButton onClick={() => setRemoving(row)} />
      </>
    ),
    [list, action, from],
  );

  async function remove({ id, label }: LookupRow) {
    await call(`DELETE /api/${list}/{id}`, { params: { id } });
    notify.success(lookupDone(list, "removed", label));
    if (rows.length === 1 && meta.page > 1) query.set({ page: String(meta.page - 1) }, "replace");
    else query.refresh();
  }

  const create = (
    <LinkButton href={to("listNew", { list }) + from} variant="primary" data-new icon={<PlusIcon />}>
      New
    </LinkButton>
  );

  return (
    <>
      <DataTable
        label={title}
        columns={columns}
        rows={rows}
        meta={meta}
        failed={failed}
        search
        toolbar={
          filter && (
            <Filters>
              <TableFilter
                name={filter.key}
                label={filter.label}
                placeholder="-- All --"
                options={filter.values.map((value) => ({ value, label: capitalize(value) }))}
              />
            </Filters>
          )
        }
        compact
        actions={
          <>
            {mayExport && <ExportLinks path={`/api/${list}`} />}
            {create}
          </>
        }
        rowActions={rowActions}
        rowName={rowName}
        empty={
          <EmptyState icon={<GearIcon />} action={create}>
            No {inSentence(title)} yet.
          </EmptyState>
        }
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

/**
 * The start of a Markdown text. It is one line in a table, three in a list on a phone, and the whole text in print. The
 * full source text is also its title.
 */
const Shortened = ({ text }: { text: string }) => (
  <div
    title={text}
    className="overflow-hidden print:max-h-none print:overflow-visible @[40.01rem]:max-h-lh @max-[40.01rem]:line-clamp-3"
  >
    <Markdown text={text} eager />
  </div>
);

/** The record's name, which opens it, with a badge for its status if there is one. */
const RecordLink = ({ href, text, badge }: { href: string; text: string; badge: Badge | undefined }) => (
  <span className="flex min-w-0 items-center gap-2">
    <RowLink href={href} text={text} />
    {badge && <StatusBadge badge={badge} />}
  </span>
);

type Action = NonNullable<Lookup["action"]>;

function RowAction({ row: { id }, action }: { row: LookupRow; action: Action }) {
  const notify = useNotify();
  const { busy, run } = useAttempt(notify.error);
  const act = () =>
    run(async () => {
      await call(action.call, { params: { id } });
      notify.success(action.done);
    });

  return <IconButton label={action.title} icon={<KeyIcon />} busy={busy} onClick={act} />;
}
