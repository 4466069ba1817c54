import { ReconciledBadge } from "@/components/forms/reconciled-badge";
import { ReviewBar } from "@/components/review/review-bar";
import { PageTitle } from "@/components/shell/page-title";
import type { Review } from "@/lib/review/data";

/** The head of an existing form's screen: its title, and what its review says and offers. */
export function FormHeading({ review }: { review: Review }) {
  return (
    <div className="print-hidden">
      <PageTitle
        title="Edit Form"
        id={review.id}
        actions={<ReconciledBadge reconciled={review.reconciled} />}
      />
      <ReviewBar key={review.id} review={review} />
    </div>
  );
}
