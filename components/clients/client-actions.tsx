import { RecordTrail } from "@/components/history/record-trail";
import { LinkButton } from "@/components/ui/controls";
import { PencilIcon, PlusIcon, PrintIcon } from "@/components/ui/icons";

/** What can be done with the client of a page. Nothing is prefetched: each link opens a record, which is recorded. */
export function ClientActions({
  id,
  forms,
  mayMerge,
}: {
  id: number;
  /** Null: the user has nothing to do with forms. */
  forms: object | null;
  mayMerge: boolean;
}) {
  return (
    <div className="print-hidden flex flex-wrap gap-2">
      {forms && (
        <LinkButton href={`/forms/new?clientId=${id}`} prefetch={false} variant="primary" icon={<PlusIcon />}>
          New form
        </LinkButton>
      )}
      <LinkButton href={`/clients/${id}/edit`} prefetch={false} icon={<PencilIcon />}>
        Edit
      </LinkButton>
      <LinkButton href={`/clients/${id}/print`} prefetch={false} icon={<PrintIcon />}>
        Print the whole record
      </LinkButton>
      {mayMerge && (
        <LinkButton href={`/clients/${id}/merge`} prefetch={false}>
          Merge with…
        </LinkButton>
      )}
      <RecordTrail kind="client" id={id} />
    </div>
  );
}
