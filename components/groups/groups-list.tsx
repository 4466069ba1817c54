"use client";

import { RowLink } from "@/components/ui/cell-text";
import { LinkButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLinks } from "@/components/ui/export-links";
import { GroupIcon, PlusIcon } from "@/components/ui/icons";
import type { Column } from "@/components/ui/table-grid";
import { Filters, TableFilter } from "@/components/ui/table-query";
import type { Meta } from "@/lib/core/api/list-query";
import { PAGES, to } from "@/lib/core/pages";
import { date, minutes } from "@/lib/core/text/format";
import type { Group } from "@/lib/groups/api-schema";

const COLUMNS: Column<Group>[] = [
  {
    key: "name",
    header: "Name",
    sortable: true,
    width: "rest",
    cell: ({ id, name }) => <RowLink href={to("groupsShow", { id })} text={name} />,
  },
  { key: "serviceCode", header: "Service Code", cell: ({ serviceCode }) => serviceCode.name },
  {
    key: "usualMinutes",
    header: "Usual Minutes",
    holds: "numbers",
    cell: ({ usualMinutes }) => minutes(usualMinutes),
  },
  {
    key: "closedOn",
    header: "Closed On",
    sortable: true,
    holds: "moments",
    cell: ({ closedOn }) => (closedOn ? date(closedOn) : ""),
  },
];

const NEW_GROUP = (
  <LinkButton href={to("groupsNew")} variant="primary" data-new icon={<PlusIcon />}>
    {PAGES.groupsNew.title}
  </LinkButton>
);

/** The groups that the user leads, or with All Forms all. */
export function GroupsList({
  groups,
  meta,
  failed,
  mayExport,
}: {
  groups: Group[];
  meta: Meta;
  failed: string | string[] | null;
  mayExport: boolean;
}) {
  return (
    <DataTable
      label={PAGES.groupsList.title}
      columns={COLUMNS}
      rows={groups}
      meta={meta}
      failed={failed}
      search
      compact
      toolbar={
        <Filters>
          <TableFilter
            name="open"
            label="Groups"
            placeholder="-- All Groups --"
            options={[
              { value: "true", label: "Not closed" },
              { value: "false", label: "Closed" },
            ]}
          />
        </Filters>
      }
      actions={
        <>
          {mayExport && <ExportLinks path="/api/groups" />}
          {NEW_GROUP}
        </>
      }
      empty={
        <EmptyState icon={<GroupIcon />} action={NEW_GROUP}>
          No groups yet. A group records a service for everyone who came to a session at once.
        </EmptyState>
      }
    />
  );
}
