import { RecordTrail } from "@/components/history/record-trail";
import { LinkButton } from "@/components/ui/controls";
import { DownloadLink } from "@/components/ui/download-link";
import { PencilIcon, PlusIcon, PrintIcon } from "@/components/ui/icons";
import { can, mayMerge, type SessionUser } from "@/lib/auth/permissions";

/** Which of the actions the user may take, besides those that everyone may who sees the client. */
export const allowedActions = (user: SessionUser) => ({
  mayAddForms: can(user, "forms"),
  mayMerge: mayMerge(user),
  mayExport: can(user, "export"),
});

/** What can be done with the client of a page. Nothing is prefetched: each link opens a record, which is recorded. */
export function ClientActions({
  id,
  mayAddForms,
  mayMerge,
  mayExport,
}: { id: number } & ReturnType<typeof allowedActions>) {
  return (
    <div className="print-hidden flex flex-wrap gap-2">
      {mayAddForms && (
        <LinkButton href={`/forms/new?clientId=${id}`} prefetch={false} variant="primary" icon={<PlusIcon />}>
          New form
        </LinkButton>
      )}
      <LinkButton href={`/clients/${id}/edit`} prefetch={false} icon={<PencilIcon />}>
        Edit
      </LinkButton>
      <RecordTrail kind="client" id={id} />
      <LinkButton href={`/clients/${id}/print`} prefetch={false} icon={<PrintIcon />}>
        Print the whole record
      </LinkButton>
      {mayMerge && (
        <LinkButton href={`/clients/${id}/merge`} prefetch={false}>
          Merge with…
        </LinkButton>
      )}
      {mayExport && (
        <DownloadLink href={`/api/clients/${id}/record.json`}>Download the whole record (JSON)</DownloadLink>
      )}
    </div>
  );
}
