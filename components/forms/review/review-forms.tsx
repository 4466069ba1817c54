import "server-only";
import { clientPhone } from "@/components/clients/client-phone";
import { missingIn, openedAs, readForm } from "@/components/forms/reading";
import { ReadingView, readingTitle } from "@/components/forms/reading-view";
import { type BatchForm, ReviewBatch } from "@/components/forms/review/review-batch";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { InBrowser } from "@/components/ui/in-browser";
import { Link } from "@/components/ui/link";
import { fullName } from "@/lib/core/access/permissions";
import { PAGES, to } from "@/lib/core/pages";
import { inTurns } from "@/lib/core/process/in-turns";
import { counted, date, whole } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import { isLarge } from "@/lib/forms/large";
import { COMMENTS_SHOWN } from "@/lib/forms/review/limits";
import type { FormToRead } from "@/lib/forms/review/reviews";
import type { FormLists } from "@/lib/lookups/schema";

/**
 * Several forms to read below each other, to be returned one by one or reconciled together. Other requests are served
 * between two forms.
 */
export async function ReviewForms({
  forms,
  later,
  waiting,
  lists,
  from,
  back,
}: {
  forms: readonly FormToRead[];
  /** The ids of the forms that do not fit on the page. */
  later: readonly number[];
  /** The number of all forms that wait for a review; 0 if the page shows chosen forms. */
  waiting: number;
  lists: FormLists;
  /** The query for links to other pages; it preserves the state of the list. */
  from: string;
  /** The URL of the list as the user left it. */
  back: string;
}) {
  return (
    <>
      <PageTitle title={PAGES.formsReview.title} actions={<LinkButton href={back}>Back</LinkButton>} />
      <p className="mb-4 text-muted">{wordsOf(forms.length, waiting, later.length)}</p>
      <ReviewBatch
        from={from}
        back={back}
        later={later}
        forms={await inTurns(bySession(forms), (read) => batchFormOf(read, lists, from), 1)}
      />
    </>
  );
}

/** Returns the forms with those of a group session next to each other, at the place of its first one. */
function bySession(forms: readonly FormToRead[]): FormToRead[] {
  const keyOf = ({ form: { id, groupSession } }: FormToRead) =>
    groupSession ? `s${groupSession.id}` : `f${id}`;
  const grouped = new Map<string, FormToRead[]>();
  for (const form of forms) grouped.set(keyOf(form), [...(grouped.get(keyOf(form)) ?? []), form]);
  return [...grouped.values()].flat();
}

function batchFormOf(
  { form, client, clientPurged, changed, mayReturn, refusal }: FormToRead,
  lists: FormLists,
  from: string,
): BatchForm {
  const { values, rules } = openedAs(form, client, lists);
  const reading = readForm(values, rules, !clientPurged);
  return {
    id: form.id,
    lockVersion: form.lockVersion,
    advocate: fullName(form.user),
    client: form.client,
    title: readingTitle(form.client.name, form.formType.name, form.serviceOn),
    reconciled: form.reconciled,
    missing: missingIn(reading),
    mayReturn,
    refusal,
    session: form.groupSession && {
      id: form.groupSession.id,
      name: `${form.groupSession.groupName}, ${date(form.serviceOn)}`,
    },
    reading: (
      <>
        {!form.reconciled && <Comments form={form} from={from} />}
        <InBrowser isLarge={isLarge({ form, client })}>
          <ReadingView {...{ values, rules, reading, changed }} phone={clientPhone(client)} />
        </InBrowser>
      </>
    ),
  };
}

function wordsOf(shown: number, waiting: number, later: number): string {
  if (shown === 0) return "No forms to review.";
  const full = later > 0 ? ". The page is full, so the others follow." : "";
  if (waiting > shown) return `The oldest ${counted(shown, "form")} of ${whole(waiting)} to review${full}`;
  if (waiting > 0) return `${counted(shown, "form")} to review`;
  return later > 0 ? `${whole(shown)} of ${counted(shown + later, "form")}${full}` : counted(shown, "form");
}

function Comments({ form: { id, comments }, from }: { form: Form; from: string }) {
  if (comments.length === 0) return null;
  const earlier = Math.max(0, comments.length - COMMENTS_SHOWN);
  return (
    <ul className="my-2 space-y-1 rounded-lg bg-warning-soft p-3">
      {earlier > 0 && (
        <li>
          <Link
            href={to("formsView", { id }) + from}
          >{`Open the form for ${counted(earlier, "earlier comment")}`}</Link>
        </li>
      )}
      {comments.slice(earlier).map(({ id, by, text }) => (
        <li key={id} className="wrap-anywhere whitespace-pre-line">
          <span className="font-medium">{by ? fullName(by) : "Removed account"}</span>: {text}
        </li>
      ))}
    </ul>
  );
}
