import type { Badge } from "@/components/ui/badge";
import { date } from "@/lib/core/text/format";
import type { ReportState } from "@/lib/reports/overview";

/** Returns the badge of a report: submitted, without records, overdue, with gaps, or open. */
export function stateBadge(
  { submittedAt, due, gaps, isEmpty }: Pick<ReportState, "submittedAt" | "due" | "gaps" | "isEmpty">,
  today: string,
): Badge {
  const badge = (status_code: string, display_status: string, description: string): Badge => ({
    status_code,
    display_status,
    description,
    status_title: "State",
  });
  if (submittedAt)
    return badge("success", `Submitted ${date(submittedAt)}`, "The quarter was marked as submitted");
  if (isEmpty) return badge("neutral", "No records", "Nothing was recorded that the report counts");
  if (due !== null && due < today)
    return badge("danger", "Overdue", "The quarter is not marked as submitted");
  if (gaps) return badge("warning", "Gaps", "Some records lack a value that the report needs");
  return badge("neutral", "Open", "The quarter is not marked as submitted");
}
