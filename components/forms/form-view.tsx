import { RecordTrail } from "@/components/audit/record-trail";
import { clientPhone } from "@/components/clients/client-phone";
import { Conversation } from "@/components/forms/conversation";
import { openedAs, reconciledWords } from "@/components/forms/reading";
import { PrintFoot, PrintHead, ReadingHead, ReadingView } from "@/components/forms/reading-view";
import { ReviewBar } from "@/components/forms/review/review-bar";
import { SessionLink } from "@/components/forms/session-link";
import { PageTitle } from "@/components/shell/page-title";
import { StatusBadge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/controls";
import { PencilIcon } from "@/components/ui/icons";
import { InBrowser } from "@/components/ui/in-browser";
import { PageActions } from "@/components/ui/page-actions";
import { PrintButton } from "@/components/ui/print-button";
import { PrintOnOpen } from "@/components/ui/print-on-open";
import type { Client } from "@/lib/clients/api-schema";
import type { Brand } from "@/lib/core/branding/brand";
import { PAGES, to } from "@/lib/core/pages";
import { counted, date } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import { isLarge } from "@/lib/forms/large";
import { COMMENTS_SHOWN } from "@/lib/forms/review/limits";
import type { Review } from "@/lib/forms/review/reviews";
import { NOTHING_CHANGED } from "@/lib/forms/review/since-check";
import { FORM_LABELS, reconciledBadge } from "@/lib/forms/words";
import type { FormLists } from "@/lib/lookups/schema";

type Props = {
  brand: Brand;
  form: Form;
  client: Client;
  review: Review;
  lists: FormLists;
  /** The URL of the list or of the client's page as the user left it. */
  back: string;
  /** True if the print dialog opens at once. */
  printsOnOpen: boolean;
  printedBy: string;
  printedOn: string;
};

/** A form to read, review and print, with the conversation about it. */
export function FormView({
  brand,
  form,
  client,
  review,
  lists,
  back,
  printsOnOpen,
  printedBy,
  printedOn,
}: Props) {
  const { id, comments, returned, reconciled } = form;
  const changed = review.changed.changes.length;
  return (
    <>
      <div className="print-hidden">
        <PageTitle
          title={PAGES.formsView.title}
          id={id}
          tab={[form.formType.name, date(form.serviceOn)]}
          actions={
            <div className="flex items-center gap-2">
              <StatusBadge badge={reconciledBadge(review.reconciled)} />
              <PageActions>
                {!review.frozen && (
                  <LinkButton href={to("formsEdit", { id }) + review.from} icon={<PencilIcon />}>
                    Edit
                  </LinkButton>
                )}
                <PrintButton />
                {form.groupSession && <SessionLink {...form.groupSession} />}
                <RecordTrail kind="form" id={id} from={review.from} />
                <LinkButton href={back}>Back</LinkButton>
              </PageActions>
            </div>
          }
        />
        {/* The changes are marked below. */}
        <ReviewBar key={id} review={{ ...review, changed: NOTHING_CHANGED }} page="formsView" />
        <Conversation
          key={`conversation-${id}`}
          // The browser gets only these parts of the form: the reading view is made on the server.
          form={{ id, comments: comments.slice(-COMMENTS_SHOWN), returned, reconciled }}
          earlier={Math.max(0, comments.length - COMMENTS_SHOWN)}
          mayReply={!review.frozen}
        >
          {/* On a phone, the other link is in a menu. */}
          {review.isReturnedToMe && (
            <LinkButton
              href={to("formsEdit", { id }) + review.from}
              icon={<PencilIcon />}
              className="sm:hidden"
            >
              Edit
            </LinkButton>
          )}
        </Conversation>
      </div>
      <article className="card p-4 sm:p-5 print:p-0">
        <div className="print-only">
          <PrintHead
            brand={brand}
            title={`Form ${id}`}
            rows={[
              { label: "Advocate", text: review.advocate },
              { label: "Client", text: client.name },
              { label: FORM_LABELS.serviceOn, text: date(form.serviceOn) },
              { label: "Review", text: reconciledWords(form) },
              { label: "Printed on", text: printedOn },
              { label: "Printed by", text: printedBy },
            ]}
          />
        </div>
        <ReadingHead
          client={client.name}
          formType={form.formType.name}
          serviceOn={form.serviceOn}
          advocate={review.advocate}
        />
        {changed > 0 && (
          <p className="mt-2">{`${counted(changed, "change")} since it was last checked, marked below.`}</p>
        )}
        <InBrowser isLarge={isLarge({ form, client })}>
          <ReadingView
            {...openedAs(form, client, lists)}
            withClient={!review.clientPurged}
            changed={review.changed}
            phone={clientPhone(client)}
          />
        </InBrowser>
        <div className="print-only">
          <PrintFoot brand={brand} />
        </div>
      </article>
      {printsOnOpen && <PrintOnOpen />}
    </>
  );
}
