"use client";

import { SearchInput } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import type { Column } from "@/components/ui/table-grid";
import { TableDayFilter, TableFilter, useTable } from "@/components/ui/table-query";
import type { Meta } from "@/lib/api/list-query";
import { markedName } from "@/lib/auth/permissions";
import type { AuditEvent, AuditUser } from "@/lib/history/schema";
import { actionOptions, recordWords, sentence } from "@/lib/history/words";

/** An event with its moment as the organisation's clock shows it. */
export type AuditRow = AuditEvent & { moment: string };

const COLUMNS: Column<AuditRow>[] = [
  {
    key: "at",
    header: "When",
    sortable: true,
    cell: ({ moment }) => <span className="whitespace-nowrap">{moment}</span>,
  },
  { key: "userName", header: "Who", cell: ({ userName }) => userName || "Nobody known" },
  { key: "action", header: "What", cell: (event) => sentence(event) },
  {
    key: "fields",
    header: "Fields",
    cell: ({ fields }) => (
      <span className="break-words">
        {fields.map((field) => field.split(".").slice(1).join(".")).join(", ")}
      </span>
    ),
  },
  { key: "address", header: "From", cell: ({ address }) => address ?? "" },
];

const RECORDS = ["form", "client", "draft", "user", "role", "closedPeriods"].map((entity) => ({
  value: entity,
  label: recordWords(entity, null),
}));

/** Who did what, and who saw it (contract §8). */
export function AuditLog({
  rows,
  meta,
  failed,
  users,
}: {
  rows: AuditRow[];
  meta: Meta;
  failed: string | string[] | null;
  users: AuditUser[];
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
          <TableFilter
            name="userId"
            label="Who"
            placeholder="Everyone"
            options={users.map(({ id, name, active }) => ({ value: id, label: markedName(name, active) }))}
          />
          <TableFilter name="action" label="What" placeholder="Everything" options={actionOptions} />
          <TableFilter name="entity" label="Record" placeholder="All" options={RECORDS} />
          <RecordNumber />
          <TableDayFilter name="from" label="From" />
          <TableDayFilter name="to" label="To" />
        </>
      }
      empty={<p>Nothing of this kind has been recorded.</p>}
    />
  );
}

/** Narrows the log to one record by its number; what is none is not asked for. */
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
