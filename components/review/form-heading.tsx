import { RecordTrail } from "@/components/history/record-trail";
import { ReviewBar } from "@/components/review/review-bar";
import { PageTitle } from "@/components/shell/page-title";
import { StatusBadge } from "@/components/ui/badge";
import { date } from "@/lib/fields/format";
import type { Form } from "@/lib/forms/schema";
import { reconciledBadge } from "@/lib/forms/words";
import type { Review } from "@/lib/review/data";

/** The top of an existing form's screen: the title (in the tab with type and date) and the review bar. */
export function FormHeading({ review, form }: { review: Review; form: Form }) {
  return (
    <div className="print-hidden">
      <PageTitle
        title="Edit Form"
        id={review.id}
        tab={[form.formType.name, date(form.serviceOn)]}
        actions={
          <div className="flex items-center gap-3">
            <StatusBadge badge={reconciledBadge(review.reconciled)} />
            <RecordTrail kind="form" id={review.id} from={review.from} />
          </div>
        }
      />
      <ReviewBar key={review.id} review={review} />
    </div>
  );
}
