import { RecordTrail } from "@/components/history/record-trail";
import { LinkButton } from "@/components/ui/controls";
import { PencilIcon, PlusIcon, PrintIcon } from "@/components/ui/icons";

/** What can be done with the client of a page. Nothing is prefetched: each link opens a record, which is recorded. */
export function ClientActions({ clientId, mayAddForm }: { clientId: number; mayAddForm: boolean }) {
  return (
    <div className="print-hidden flex flex-wrap gap-2">
      {mayAddForm && (
        <LinkButton
          href={`/forms/new?clientId=${clientId}`}
          prefetch={false}
          variant="primary"
          icon={<PlusIcon />}
        >
          New form
        </LinkButton>
      )}
      <LinkButton href={`/clients/${clientId}/edit`} prefetch={false} icon={<PencilIcon />}>
        Edit
      </LinkButton>
      <LinkButton href={`/clients/${clientId}/print`} prefetch={false} icon={<PrintIcon />}>
        Print the whole record
      </LinkButton>
      <RecordTrail kind="client" id={clientId} />
    </div>
  );
}
