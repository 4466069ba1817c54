import { RecordTrail } from "@/components/audit/record-trail";
import { ReviewBar } from "@/components/forms/review/review-bar";
import { PageTitle } from "@/components/shell/page-title";
import { StatusBadge } from "@/components/ui/badge";
import { PAGES } from "@/lib/core/pages";
import { date } from "@/lib/core/text/format";
import type { Form } from "@/lib/forms/api-schema";
import type { Review } from "@/lib/forms/review/reviews";
import { reconciledBadge } from "@/lib/forms/words";

/** The top of an existing form's screen. The browser tab shows type and date. */
export function FormHeading({ review, form }: { review: Review; form: Form }) {
  return (
    <div className="print-hidden">
      <PageTitle
        title={PAGES.formsEdit.title}
        id={review.id}
        tab={[form.formType.name, date(form.serviceOn)]}
        actions={
          <div className="flex flex-wrap items-center gap-x-3">
            <StatusBadge badge={reconciledBadge(review.reconciled)} />
            <RecordTrail kind="form" id={review.id} from={review.from} />
          </div>
        }
      />
      <ReviewBar key={review.id} review={review} page="formsEdit" />
    </div>
  );
}
