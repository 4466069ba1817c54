"use client";

import { useRouter } from "next/navigation";
import { useCallback, useMemo, useState } from "react";
import { HoldDialog } from "@/components/retention/hold-dialog";
import { RowLink } from "@/components/ui/cell-text";
import { Button } from "@/components/ui/controls";
import { DataTable } from "@/components/ui/data-table";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { ExportLinks } from "@/components/ui/export-links";
import { PeopleIcon, TrashIcon } from "@/components/ui/icons";
import { useNotify } from "@/components/ui/notifications";
import type { Column } from "@/components/ui/table-grid";
import { Filters, TableFilter } from "@/components/ui/table-query";
import { SelectBox, SelectionProvider, useSelection } from "@/components/ui/table-selection";
import { useAttempt } from "@/components/ui/use-failure";
import { CLIENT_LABELS } from "@/lib/clients/words";
import { call } from "@/lib/core/api/client";
import type { Meta } from "@/lib/core/api/list-query";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import { counted, date } from "@/lib/core/text/format";
import type { RetainedClient, Retention } from "@/lib/retention/schema";

/** With `seesClients`, the name links to the client's page. */
const nameColumn = (seesClients: boolean, isSelectable: boolean): Column<RetainedClient> => ({
  key: "name",
  header: CLIENT_LABELS.name,
  sortable: true,
  isSelectable,
  cell: ({ id, name }) => (
    <span className="flex min-w-0 items-center gap-1">
      {isSelectable && <SelectBox id={id} label={`Select ${name}`} />}
      {seesClients ? (
        <RowLink href={to("clientsShow", { id })} text={name} />
      ) : (
        <span className="wrap-anywhere">{name}</span>
      )}
    </span>
  ),
});
const FACTS: Column<RetainedClient>[] = [
  { key: "advocate", header: ADVOCATE_NAME, cell: ({ advocate }) => advocate },
  { key: "lastActivityOn", header: "Last Activity", cell: ({ lastActivityOn }) => date(lastActivityOn) },
  { key: "forms", header: "Forms", cell: ({ forms }) => forms },
];
const HELD_FACTS: Column<RetainedClient>[] = [
  ...FACTS,
  {
    key: "hold",
    header: "Legal Hold",
    cell: ({ hold }) =>
      hold && (
        <span className="wrap-anywhere">
          {hold.reason}
          <span className="block text-muted text-sm">
            {[hold.by, date(hold.at)].filter(Boolean).join(", ")}
          </span>
        </span>
      ),
  },
];

const rowName = ({ name }: RetainedClient) => name;

/** Lists clients due to be purged, or clients under a legal hold whether due or not. */
export function RetainedClients({
  clients,
  meta,
  failed,
  held,
  seesClients,
  retention,
  mayExport,
}: {
  clients: RetainedClient[];
  meta: Meta;
  failed: string | string[] | null;
  held: boolean;
  seesClients: boolean;
  retention: Retention;
  mayExport: boolean;
}) {
  const [changing, setChanging] = useState<RetainedClient | null>(null);
  const [isOpen, setOpen] = useState(false);
  const columns = useMemo(
    () => [nameColumn(seesClients, !held), ...(held ? HELD_FACTS : FACTS)],
    [seesClients, held],
  );
  const selection = useSelection(clients.map(({ id }) => id));

  // Memoized: a new function would render the cells again and lose their focus.
  const rowActions = useCallback(
    (client: RetainedClient) => (
      <Button
        size="sm"
        variant="ghost"
        onClick={() => {
          setChanging(client);
          setOpen(true);
        }}
      >
        {client.hold ? "Lift hold" : "Place hold"}
      </Button>
    ),
    [],
  );

  return (
    <SelectionProvider selection={selection}>
      <DataTable
        label={held ? "Clients under legal hold" : "Clients due to be purged"}
        columns={columns}
        rows={clients}
        meta={meta}
        failed={failed}
        search
        toolbar={
          <Filters>
            <TableFilter
              name="held"
              label="Show"
              placeholder="Clients due to be purged"
              options={[{ value: "true", label: "Clients under legal hold" }]}
            />
          </Filters>
        }
        actions={mayExport && <ExportLinks path="/api/retention/clients" />}
        selection={
          selection.selected.size > 0 && (
            <Purge
              ids={[...selection.selected]}
              backupsUntil={retention.backupsUntil}
              onDone={() => selection.setAll(false)}
            />
          )
        }
        rowActions={rowActions}
        rowName={rowName}
        empty={<EmptyState icon={<PeopleIcon />}>{emptyWords(held, retention.years)}</EmptyState>}
      />
      {changing && (
        <HoldDialog
          key={changing.id}
          id={changing.id}
          name={changing.name}
          isHeld={changing.hold !== null}
          open={isOpen}
          onClose={() => setOpen(false)}
        />
      )}
    </SelectionProvider>
  );
}

function emptyWords(held: boolean, years: number | null): string {
  if (held) return "No clients are under legal hold.";
  return years === null ? "Set a number of years above to see which clients are due." : "No clients are due.";
}

/** Purges the selected clients after a confirmation, and reports which were refused. */
function Purge({
  ids,
  backupsUntil,
  onDone,
}: {
  ids: readonly number[];
  backupsUntil: string;
  onDone: () => void;
}) {
  const router = useRouter();
  const notify = useNotify();
  const [asking, setAsking] = useState(false);
  const { busy, run } = useAttempt(notify.error);

  function purge() {
    setAsking(false);
    return run(async () => {
      const response = await call("POST /api/retention/purge", { body: { ids: [...ids] } });
      if (response.done.length > 0) notify.success(`Purged ${counted(response.done.length, "client")}`);
      if (response.failed.length > 0)
        notify.error(response.failed.map(({ id, error }) => `Client ${id}: ${error}`));
      onDone();
      router.refresh();
    });
  }

  return (
    <>
      <Button size="sm" variant="danger" icon={<TrashIcon />} busy={busy} onClick={() => setAsking(true)}>
        {`Purge ${counted(ids.length, "client")}`}
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Purge ${counted(ids.length, "client")}?`}
        description={`This cannot be undone. Purged data may remain in backups until ${date(backupsUntil)}.`}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button variant="danger" onClick={() => void purge()}>
              Purge
            </Button>
          </>
        }
      />
    </>
  );
}
