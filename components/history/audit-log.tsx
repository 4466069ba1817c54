"use client";

import { namedOptions } from "@/components/record/choices";
import { SearchInput } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { ExportLinks } from "@/components/ui/export-links";
import type { Column } from "@/components/ui/table-grid";
import { TableDayFilter, TableFilter, useTable } from "@/components/ui/table-query";
import type { Meta } from "@/lib/api/list-query";
import type { AuditEvent, AuditUser } from "@/lib/history/schema";
import { AUDIT_LABELS, actionOptions, fieldWords, sentence, whoWords } from "@/lib/history/words";

/** An event with its time formatted in the organisation's time zone. */
type AuditRow = AuditEvent & { moment: string };

const COLUMNS: Column<AuditRow>[] = [
  {
    key: "at",
    header: AUDIT_LABELS.at,
    sortable: true,
    holds: "moments",
    cell: ({ moment }) => <span className="whitespace-nowrap">{moment}</span>,
  },
  {
    key: "userName",
    header: AUDIT_LABELS.userName,
    cell: ({ userName }) => whoWords(userName),
  },
  { key: "action", header: AUDIT_LABELS.action, cell: (event) => sentence(event) },
  {
    key: "fields",
    header: AUDIT_LABELS.fields,
    cell: ({ fields }) => fieldWords(fields),
  },
  { key: "address", header: AUDIT_LABELS.address, cell: ({ address }) => address ?? "" },
];

/** Who did what, and who saw it (contract §8). */
export function AuditLog({
  rows,
  meta,
  failed,
  users,
  records,
  mayExport,
}: {
  rows: AuditRow[];
  meta: Meta;
  failed: string | string[] | null;
  users: AuditUser[];
  records: { value: string; label: string }[];
  mayExport: boolean;
}) {
  return (
    <DataTable
      label="Audit Log"
      columns={COLUMNS}
      rows={rows}
      meta={meta}
      failed={failed}
      toolbar={
        <>
          <TableFilter name="userId" label="Who" placeholder="Everyone" options={namedOptions(users)} />
          <TableFilter name="action" label="What" placeholder="Everything" options={actionOptions} />
          <TableFilter name="entity" label="Record" placeholder="All" options={records} />
          <RecordNumber />
          <TableDayFilter name="from" label="From" />
          <TableDayFilter name="to" label="To" />
        </>
      }
      actions={mayExport && <ExportLinks path="/api/audit_events" />}
      empty={<p>Nothing of this kind has been recorded.</p>}
    />
  );
}

/** Filters the log by the number of a record. Text that is not a number is ignored. */
function RecordNumber() {
  const query = useTable();
  const key = "filters[entityId]";
  return (
    <SearchInput
      label="Record number"
      value={query.params.get(key) ?? ""}
      onSearch={(text) => query.set({ [key]: /^\d{1,9}$/.test(text) ? text : null, page: null })}
    />
  );
}
