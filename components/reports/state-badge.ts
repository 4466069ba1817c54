import type { Badge } from "@/components/ui/badge";
import { date } from "@/lib/core/fields/format";
import type { ReportState } from "@/lib/reports/overview";

/** Returns the badge of a report: submitted, overdue, with gaps, or open. */
export function stateBadge(
  { submittedAt, due, gaps }: Pick<ReportState, "submittedAt" | "due" | "gaps">,
  today: string,
): Badge {
  const badge = (status_code: string, display_status: string, description: string): Badge => ({
    ...{ status_code, display_status, description },
    status_title: "State",
  });
  if (submittedAt)
    return badge("success", `Submitted ${date(submittedAt)}`, "The quarter was marked as submitted");
  if (due < today) return badge("danger", "Overdue", "The quarter is not marked as submitted");
  if (gaps) return badge("warning", "Gaps", "Some records lack a value that the report needs");
  return badge("neutral", "Open", "The quarter is not marked as submitted");
}
