import { RecordTrail } from "@/components/audit/record-trail";
import { LinkButton } from "@/components/ui/controls";
import { DownloadLink } from "@/components/ui/download-link";
import { PlusIcon, PrintIcon } from "@/components/ui/icons";
import { Section } from "@/components/ui/section";
import { can, mayMerge, type SessionUser } from "@/lib/core/access/permissions";
import { PAGES, to } from "@/lib/core/pages";

/** Returns the client actions that depend on the user's permissions. */
export const allowedActions = (user: SessionUser) => ({
  mayAddForms: can(user, "forms"),
  mayMerge: mayMerge(user),
  mayExport: can(user, "export"),
});

type Allowed = { id: number } & ReturnType<typeof allowedActions>;

/**
 * Links for everyday work with a client. `from` is the query that carries the state of the user's list, and `editFrom` the
 * one that carries the place to return to after an edit (`fromQuery` and `fromThread` in lib/core/api/back-link.ts).
 */
export function ClientActions({
  id,
  mayAddForms,
  from,
  editFrom,
}: Allowed & { from: string; editFrom: string }) {
  return (
    <div className="print-hidden flex flex-wrap gap-2">
      <RecordTrail kind="client" id={id} from={from} />
      <LinkButton href={to("clientsEdit", { id }) + editFrom}>Edit</LinkButton>
      {mayAddForms && (
        <LinkButton href={`${to("formsNew")}?clientId=${id}`} variant="primary" icon={<PlusIcon />}>
          {PAGES.formsNew.title}
        </LinkButton>
      )}
    </div>
  );
}

/** A menu of rare actions on the whole record. */
export function ClientRecordActions({ id, mayMerge, mayExport }: Allowed) {
  return (
    <Section title="The whole record" className="print-hidden">
      <div className="flex flex-wrap gap-2">
        <LinkButton href={to("clientsPrint", { id })} icon={<PrintIcon />}>
          Print the whole record
        </LinkButton>
        {mayExport && (
          <DownloadLink href={`/api/clients/${id}/record.json`}>
            Download the whole record (JSON)
          </DownloadLink>
        )}
        {mayMerge && <LinkButton href={to("clientsMerge", { id })}>Merge with…</LinkButton>}
      </div>
    </Section>
  );
}
