"use client";

import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { namedOptions } from "@/components/record/choices";
import { SearchInput } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { ExportLinks } from "@/components/ui/export-links";
import type { Column } from "@/components/ui/table-grid";
import { MoreFiltersButton, TableDayFilter, TableFilter, useTable } from "@/components/ui/table-query";
import type { AuditEvent, AuditUser } from "@/lib/audit/schema";
import { AUDIT_LABELS, actionOptions, addressWords, sentence, UNCHANGED, whoWords } from "@/lib/audit/words";
import type { Meta } from "@/lib/core/api/list-query";
import { ViewsSwitch } from "./views-switch";

/** An event with its time in the organization's time zone and the labels of its fields. */
type AuditRow = AuditEvent & { moment: string; labels: string[] };

/** A new client changes dozens of fields; its history lists them all. */
const LABELS_SHOWN = 6;

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
    cell: ({ userName }) => (
      <span className="@[58rem]:inline-block @[58rem]:min-w-32">{whoWords(userName)}</span>
    ),
  },
  {
    key: "action",
    header: AUDIT_LABELS.action,
    cell: (event) => <span className="@[58rem]:inline-block @[58rem]:min-w-40">{sentence(event)}</span>,
  },
  {
    key: "fields",
    header: AUDIT_LABELS.fields,
    cell: ({ action, labels }) => (
      <>
        {action === "updated" && labels.length === 0 && UNCHANGED}
        {labels.slice(0, LABELS_SHOWN).join("; ")}
        {labels.length > LABELS_SHOWN && `; and ${labels.length - LABELS_SHOWN} more`}
      </>
    ),
  },
  { key: "address", header: AUDIT_LABELS.address, cell: ({ address }) => addressWords(address) },
];

/** The Audit Log: a list of changes and views with filters. */
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
  const params = useSearchParams();
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
            labelOnPhones={false}
            placeholder="Everyone"
            options={namedOptions(users)}
          />
          <TableFilter
            name="action"
            label="What"
            labelOnPhones={false}
            placeholder="Everything"
            options={actionOptions}
          />
          <MoreFilters records={records} />
          <Views />
        </>
      }
      actions={mayExport && <ExportLinks path="/api/audit_events" query={exported(params)} />}
      empty={<p>Nothing has been recorded yet.</p>}
      noMatch="No matching events."
    />
  );
}

const MORE_FILTERS = ["entity", "entityId", "from", "to"];

/** The less common filters. They stay visible while one of them is active. */
function MoreFilters({ records }: { records: { value: string; label: string }[] }) {
  const { params } = useTable();
  const [isOpen, setOpen] = useState(false);
  const isOn = MORE_FILTERS.some((name) => params.has(`filters[${name}]`));
  return (
    <>
      {!isOn && <MoreFiltersButton open={isOpen} onToggle={() => setOpen(!isOpen)} />}
      {(isOpen || isOn) && (
        <div className="filter-panel">
          <div className="max-sm:col-span-2">
            <TableFilter name="entity" label="Record" stacked placeholder="All" options={records} />
          </div>
          <div className="col-span-2">
            <RecordNumber />
          </div>
          <TableDayFilter name="from" label="From" />
          <TableDayFilter name="to" label="To" />
        </div>
      )}
    </>
  );
}

/** Returns the query for an export of the events shown. The API includes views unless they are filtered out. */
function exported(shown: URLSearchParams): string {
  const params = new URLSearchParams(shown);
  if (!params.has("filters[views]")) params.set("filters[views]", "false");
  return params.toString();
}

/** Shows views too. A chosen kind of event shows those events in any case. */
function Views() {
  const query = useTable();
  return query.params.has("filters[action]") ? null : <ViewsSwitch query={query} />;
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
