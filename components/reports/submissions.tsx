"use client";

import { useRouter } from "next/navigation";
import { useCloseMonths } from "@/components/forms/periods/close-months";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import { Link } from "@/components/ui/link";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { date } from "@/lib/core/fields/format";
import { to } from "@/lib/core/pages";
import type { ReportKey } from "@/lib/reports/definitions";
import { isQuarter, type Period } from "@/lib/reports/periods";
import type { Submission } from "@/lib/reports/submissions/schema";

/** Lists when the quarter was submitted, with a button to submit it as it is now. */
export function Submissions({
  report,
  period,
  submissions,
  closes,
  hasEnded,
}: {
  report: ReportKey;
  period: Period;
  /** Each with its submission time in words. */
  submissions: (Submission & { moment: string })[];
  /** True if the user may close the quarter's months and some are open. */
  closes: boolean;
  /** True if the period is over, so that it can be submitted. */
  hasEnded: boolean;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const closing = useCloseMonths(router.refresh);
  const kind = isQuarter(period) ? "quarter" : "year";

  const submit = () =>
    run(async () => {
      await call("POST /api/reports/{key}/submissions", {
        params: { key: report },
        body: { submission: period },
      });
      notify.success(`Marked the ${kind} as submitted`);
      router.refresh();
    });

  return (
    <Section
      title="Submission"
      className="print-hidden"
      description={`Marking a ${kind} as submitted stores its numbers and the records behind them.${closes ? " Also close its months so that its forms can no longer be changed." : ""}`}
    >
      {submissions.length > 0 && (
        <ul className="list-disc pl-5">
          {submissions.map(({ id, moment, submittedBy }) => (
            <li key={id}>
              {[moment, submittedBy].filter(Boolean).join(", ")}:{" "}
              <Link className="link" href={to("reportsSubmission", { report, id })}>
                changes since then
              </Link>
            </li>
          ))}
        </ul>
      )}
      <ErrorAlert messages={messages ?? closing.messages} />
      <div className="flex flex-wrap gap-3">
        {hasEnded && (
          <Button busy={busy} onClick={submit}>
            {submissions.length > 0 ? "Mark as submitted again" : "Mark as submitted"}
          </Button>
        )}
        {closes && (
          <Button busy={closing.busy} onClick={() => void closing.ask(period.to)}>
            Close forms through {date(period.to)}
          </Button>
        )}
      </div>
      {closing.dialog}
    </Section>
  );
}
