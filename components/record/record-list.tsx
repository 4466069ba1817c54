"use client";

import { useRouter } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { ClosedMark } from "@/components/forms/periods/closed-mark";
import { type Choices, optionsOf } from "@/components/record/choices";
import { namedOptions } from "@/components/record/named-options";
import { fieldText, listedFields, recordWords } from "@/components/record/record-text";
import { screenOf } from "@/components/record/screens";
import { menuIcon } from "@/components/shell/menu-icons";
import { RowLink } from "@/components/ui/cell-text";
import { ConfirmDelete } from "@/components/ui/confirm-delete";
import { IconLink, RemoveButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLinks } from "@/components/ui/export-links";
import { CopyIcon, PencilIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import type { Column } from "@/components/ui/table-grid";
import { Filters, TableDays, TableFilter, useListState } from "@/components/ui/table-query";
import { can, fullName, type SessionUser } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import type { Meta } from "@/lib/core/api/list-query";
import { type FieldKind, fieldsOf } from "@/lib/core/fields/facts";
import { plural } from "@/lib/core/fields/tables";
import { ADVOCATE_NAME, ALL_USERS } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import { itemName } from "@/lib/core/records/declaration";
import { date, markedName } from "@/lib/core/text/format";
import type { RecordItem } from "@/lib/declared-records/api-schema";
import { isClosed } from "@/lib/forms/periods/closed";
import type { UserOption } from "@/lib/lookups/resources/schema";
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
  const declaration = records[list];
  const { day } = declaration;
  const { cells = {} } = screenOf(list);
  const fields = listedFields(declaration);
  const texts = fields.filter(({ facts }) => HOLDS[facts.kind] === undefined);
  const title = texts.find(({ facts }) => facts.kind === "text");
  const widest = title ?? texts.find(({ facts }) => facts.kind !== "choice") ?? texts[0];
  const narrow = title && texts[0];
  return [
    ...fields.map((field): Column<RecordItem> => {
      const { name, facts } = field;
      return {
        key: itemName(name),
        header: facts.label,
        sortable: true,
        holds: HOLDS[facts.kind],
        width: field === widest ? "rest" : field === narrow ? "narrow" : undefined,
        cell(record) {
          const text = fieldText(field, record);
          if (name !== day) return cells[itemName(name)]?.(record) ?? text;
          return <RowLink href={to("recordsEdit", { records: list, id: record.id }) + from} text={text} />;
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
  user,
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
  user: Pick<SessionUser, "permissions">;
}) {
  const { words, day, schema, filters, searched, copied } = records[list];
  const router = useRouter();
  const notify = useNotify();
  const from = useListState();
  const columns = useMemo(() => columnsFor(list, users, from), [list, users, from]);
  const [removing, setRemoving] = useState<RecordItem | null>(null);
  const dayOf = (record: RecordItem) => date(String(record[day]));

  // Kept stable: a new function would render the cells again and lose their focus.
  const rowActions = useCallback(
    (record: RecordItem) => {
      if (isClosed(String(record[day]), closedThrough)) return <ClosedMark />;
      return (
        <>
          {screenOf(list).actions?.(record, user)}
          {copied && (
            <IconLink
              label="Again"
              icon={<CopyIcon />}
              href={`${to("recordsList", { records: list })}?again=${record.id}`}
            />
          )}
          <IconLink
            label="Edit"
            icon={<PencilIcon />}
            href={to("recordsEdit", { records: list, id: record.id }) + from}
          />
          <RemoveButton onClick={() => setRemoving(record)} />
        </>
      );
    },
    [list, day, from, closedThrough, user, copied],
  );
  const rowName = useCallback(
    (record: RecordItem) =>
      `${screenOf(list).words?.(record) ?? recordWords(records[list], record)}, ${date(String(record[day]))}`,
    [list, day],
  );

  async function remove() {
    if (!removing) return;
    await call(`DELETE /api/${list}/{id}`, { params: { id: removing.id } });
    notify.success(`Removed ${words.record} successfully`);
    router.refresh();
  }

  const chosen = fieldsOf(schema).filter(({ name, facts }) => filters.includes(name) && facts.entered);
  // The filters must fit in one line.
  const isCrowded = chosen.length > 1;

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
          <Filters more={isCrowded && <TableDays />} opensWith={["from", "to"]}>
            {users && (
              <TableFilter
                name="userId"
                label="User"
                stacked
                placeholder={ALL_USERS}
                options={namedOptions(users)}
              />
            )}
            {chosen.map(({ name, facts }) => (
              <TableFilter
                key={name}
                name={name}
                label={facts.label}
                stacked
                placeholder={`-- All ${plural(facts.label)} --`}
                options={optionsOf(facts, choices)}
              />
            ))}
            {!isCrowded && <TableDays />}
          </Filters>
        }
        actions={can(user, "export") && <ExportLinks path={`/api/${list}`} />}
        rowActions={rowActions}
        rowName={rowName}
        empty={
          <EmptyState icon={menuIcon(to("recordsList", { records: list }))}>
            {`No ${words.title.toLowerCase()} yet. Record the first one above.`}
          </EmptyState>
        }
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
