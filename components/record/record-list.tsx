"use client";

import { useRouter } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { type Choices, namedOptions, optionsOf } from "@/components/record/choices";
import { fieldText, listedFields, recordWords } from "@/components/record/record-text";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { IconLink, RemoveButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { ExportLinks } from "@/components/ui/export-links";
import { PencilIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { useNotify } from "@/components/ui/notifications";
import type { Column } from "@/components/ui/table-grid";
import { StackedFilters, TableDayFilter, TableFilter, useListState } from "@/components/ui/table-query";
import { fullName } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import type { Meta } from "@/lib/core/api/list-query";
import { type FieldKind, fieldsOf } from "@/lib/core/fields/facts";
import { date, markedName } from "@/lib/core/fields/format";
import { ADVOCATE_NAME, ALL_USERS } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import { itemName } from "@/lib/core/records/declaration";
import { isClosed } from "@/lib/forms/periods/closed";
import type { UserOption } from "@/lib/lookups/resources/schema";
import type { RecordItem } from "@/lib/records/api-schema";
import { type RecordKey, records } from "@/lib/records/registry";

const HOLDS: Partial<Record<FieldKind, Column<RecordItem>["holds"]>> = {
  day: "moments",
  minutes: "numbers",
  count: "numbers",
  whole: "numbers",
  money: "numbers",
  flag: "booleans",
};

/** `from` carries the state of the list, which a record's page leads back to. */
function columnsFor(list: RecordKey, users: readonly UserOption[] | null, from: string) {
  const { day } = records[list];
  const fields = listedFields(list);
  const widest = fields.find(({ facts }) => HOLDS[facts.kind] === undefined);
  return [
    ...fields.map((field): Column<RecordItem> => {
      const { name, facts } = field;
      return {
        key: itemName(name),
        header: facts.label,
        sortable: true,
        holds: HOLDS[facts.kind],
        width: field === widest ? "rest" : undefined,
        cell(record) {
          const text = fieldText(field, record);
          if (name !== day) return text;
          return (
            <Link href={to("recordsEdit", { records: list, id: record.id }) + from} className="link">
              {text}
            </Link>
          );
        },
      };
    }),
    {
      key: "advocate",
      header: ADVOCATE_NAME,
      sortable: true,
      // A user without the filter sees only their own records.
      isWideOnly: users === null,
      cell: ({ user }: RecordItem) =>
        markedName(fullName(user), users?.find(({ id }) => id === user.id)?.active),
    },
  ];
}

/** The list of any declared record. */
export function RecordList({
  list,
  rows,
  meta,
  failed,
  users,
  choices,
  closedThrough,
  mayExport,
}: {
  list: RecordKey;
  rows: RecordItem[];
  meta: Meta;
  failed: string | string[] | null;
  /** The options of the user filter; null for a user who sees only their own records. */
  users: UserOption[] | null;
  choices: Choices;
  /** The last day of the closed period, or null. */
  closedThrough: string | null;
  mayExport: boolean;
}) {
  const { words, day, schema, filters, searched } = records[list];
  const router = useRouter();
  const notify = useNotify();
  const from = useListState();
  const columns = useMemo(() => columnsFor(list, users, from), [list, users, from]);
  const [removing, setRemoving] = useState<RecordItem | null>(null);
  const dayOf = (record: RecordItem) => date(String(record[day]));

  // Kept stable: a new function would render the cells again and lose their focus.
  const rowActions = useCallback(
    (record: RecordItem) => {
      if (isClosed(String(record[day]), closedThrough)) return null;
      return (
        <>
          <IconLink
            label="Edit"
            icon={<PencilIcon />}
            href={to("recordsEdit", { records: list, id: record.id }) + from}
          />
          <RemoveButton onClick={() => setRemoving(record)} />
        </>
      );
    },
    [list, day, from, closedThrough],
  );
  const rowName = useCallback(
    (record: RecordItem) => `${recordWords(list, record)}, ${date(String(record[day]))}`,
    [list, day],
  );

  async function remove() {
    if (!removing) return;
    await call(`DELETE /api/${list}/{id}`, { params: { id: removing.id } });
    notify.success(`Removed ${words.record} successfully`);
    router.refresh();
  }

  return (
    <>
      <DataTable
        label={words.title}
        columns={columns}
        rows={rows}
        meta={meta}
        failed={failed}
        search={searched.length > 0}
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
            {fieldsOf(schema)
              .filter(({ name }) => filters.includes(name))
              .map(({ name, facts }) => (
                <TableFilter
                  key={name}
                  name={name}
                  label={facts.label}
                  stacked
                  placeholder="-- All --"
                  options={optionsOf(facts, choices)}
                />
              ))}
            <TableDayFilter name="from" label="From" />
            <TableDayFilter name="to" label="To" />
          </StackedFilters>
        }
        actions={mayExport && <ExportLinks path={`/api/${list}`} />}
        rowActions={rowActions}
        rowName={rowName}
        empty={<p>{`No ${words.title.toLowerCase()} yet. Record the first one above.`}</p>}
      />
      <ConfirmDelete
        label={removing ? `${words.record} ${removing.id} from ${dayOf(removing)}` : ""}
        open={removing !== null}
        onClose={() => setRemoving(null)}
        onDelete={remove}
      />
    </>
  );
}
