"use client";

import { useSearchParams } from "next/navigation";
import { namedOptions } from "@/components/record/named-options";
import { SearchInput } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLinks } from "@/components/ui/export-links";
import { ListIcon } from "@/components/ui/icons";
import type { Column } from "@/components/ui/table-grid";
import { Filters, TableDays, TableFilter, useTable } from "@/components/ui/table-query";
import type { AuditRow } from "@/lib/audit/history";
import type { AuditUser } from "@/lib/audit/schema";
import { AUDIT_LABELS, actionOptions, addressWords, UNCHANGED, whoWords } from "@/lib/audit/words";
import type { Meta } from "@/lib/core/api/list-query";
import { ViewsSwitch } from "./views-switch";

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
    cell: ({ words }) => <span className="@[58rem]:inline-block @[58rem]:min-w-40">{words}</span>,
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
  {
    key: "address",
    header: AUDIT_LABELS.address,
    cell: ({ address }) => <span className="@[58rem]:whitespace-nowrap">{addressWords(address)}</span>,
  },
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
        <Filters
          opensWith={MORE_FILTERS}
          more={
            <>
              <div className="max-sm:col-span-2">
                <TableFilter name="entity" label="Record" stacked placeholder="All" options={records} />
              </div>
              <div className="col-span-2">
                <RecordNumber />
              </div>
              <TableDays />
            </>
          }
        >
          <TableFilter name="userId" label="Who" placeholder="Everyone" options={namedOptions(users)} />
          <TableFilter name="action" label="What" placeholder="Everything" options={actionOptions} />
          <Views />
        </Filters>
      }
      actions={mayExport && <ExportLinks path="/api/audit_events" query={exported(params)} />}
      empty={<EmptyState icon={<ListIcon />}>Nothing has been recorded yet.</EmptyState>}
      noMatch={showsViews(params) ? "No matching events." : "No matching events. Views are not shown."}
    />
  );
}

/** The less common filters. They stay visible while one of them is active. */
const MORE_FILTERS = ["entity", "entityId", "from", "to"];

/** Returns the query for an export of the events shown. The API includes views unless they are filtered out. */
function exported(shown: URLSearchParams): string {
  const params = new URLSearchParams(shown);
  if (!params.has("filters[views]")) params.set("filters[views]", "false");
  return params.toString();
}

/** A chosen kind of event shows those events in any case. */
const showsViews = (params: URLSearchParams) =>
  params.has("filters[action]") || params.get("filters[views]") === "true";

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
