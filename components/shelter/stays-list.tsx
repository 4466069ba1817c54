"use client";

import { useMemo } from "react";
import { namedOptions } from "@/components/record/named-options";
import { ClosedStayMark } from "@/components/shelter/closed-stay-mark";
import { RevealedName } from "@/components/shelter/revealed-name";
import { RowLink } from "@/components/ui/cell-text";
import { LinkButton } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLinks } from "@/components/ui/export-links";
import { ShelterIcon } from "@/components/ui/icons";
import type { Column } from "@/components/ui/table-grid";
import { Filters, TableDays, TableFilter, useListState } from "@/components/ui/table-query";
import { fullName, type NamedItem } from "@/lib/core/access/permissions";
import type { Meta } from "@/lib/core/api/list-query";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import { date, peopleWords } from "@/lib/core/text/format";
import type { Stay } from "@/lib/shelter/api-schema";
import { peopleOf } from "@/lib/shelter/nights";
import { STAY_LABELS } from "@/lib/shelter/words";

/** A stay with the initials of its client. */
type ListedStay = Stay & { initials: string };

/** `from` carries the state of the list, which a stay's page leads back to. */
const columnsFor = (opensClients: boolean, from: string): Column<ListedStay>[] => [
  {
    key: "enteredOn",
    header: STAY_LABELS.enteredOn,
    sortable: true,
    holds: "moments",
    cell: ({ id, enteredOn }) => <RowLink href={to("staysEdit", { id }) + from} text={date(enteredOn)} />,
  },
  {
    key: "leftOn",
    header: STAY_LABELS.leftOn,
    sortable: true,
    holds: "moments",
    cell: ({ leftOn }) => (
      <>
        {leftOn === null ? "still there" : date(leftOn)}
        <ClosedStayMark leftOn={leftOn} />
      </>
    ),
  },
  {
    key: "client",
    header: "Client",
    width: "rest",
    cell: ({ id, initials }) => <RevealedName stayId={id} initials={initials} opensClients={opensClients} />,
  },
  { key: "shelter", header: STAY_LABELS.shelter, sortable: true, cell: ({ shelter }) => shelter.name },
  {
    key: "people",
    header: "People",
    cell: (stay) => peopleWords(peopleOf(stay)),
  },
  { key: "advocate", header: ADVOCATE_NAME, sortable: true, cell: ({ user }) => fullName(user) },
];

/** The list of all stays, without names until they are requested. */
export function StaysList({
  stays,
  meta,
  failed,
  shelters,
  opensClients,
  mayExport,
}: {
  stays: ListedStay[];
  meta: Meta;
  failed: string | string[] | null;
  shelters: NamedItem[];
  opensClients: boolean;
  mayExport: boolean;
}) {
  // Without a state, too, a stay's page leads back to this list.
  const from = useListState() || "?from=";
  const columns = useMemo(() => columnsFor(opensClients, from), [opensClients, from]);
  return (
    <DataTable
      label="Stays"
      columns={columns}
      rows={stays}
      meta={meta}
      failed={failed}
      compact
      toolbar={
        <Filters>
          <TableFilter
            name="open"
            label="Stays"
            stacked
            placeholder="-- All Stays --"
            options={[
              { value: "true", label: "Still there" },
              { value: "false", label: "Ended" },
            ]}
          />
          <TableFilter
            name="shelterId"
            label={STAY_LABELS.shelter}
            stacked
            placeholder="-- All Shelters --"
            options={namedOptions(shelters)}
          />
          <TableDays />
        </Filters>
      }
      actions={mayExport && <ExportLinks path="/api/stays" />}
      empty={
        <EmptyState
          icon={<ShelterIcon />}
          action={
            <LinkButton href={to("shelter")} variant="primary">
              Shelter
            </LinkButton>
          }
        >
          No stays yet. Move someone in on the shelter board.
        </EmptyState>
      }
    />
  );
}
