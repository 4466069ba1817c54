"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useCloseMonths } from "@/components/forms/periods/close-months";
import { ErrorAlert } from "@/components/ui/alert";
import { StatusBadge } from "@/components/ui/badge";
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
import { WithdrawDialog } from "./withdraw-dialog";
import { WITHDRAWN, withdrawalWords } from "./withdrawn";

/** Lists when the quarter was submitted, with buttons to submit it as it is now and to withdraw the latest submission. */
export function Submissions({
  report,
  period,
  submissions,
  more,
  counting,
  closes,
  submits,
}: {
  report: ReportKey;
  period: Period;
  /** Each with its submission time and its withdrawal time in words. */
  submissions: (Submission & { moment: string; withdrawnMoment: string | null })[];
  /** True if the period has older submissions than these. */
  more: boolean;
  /** The latest one that is not withdrawn; null if there is none. */
  counting: Submission | null;
  /** True if the user may close the quarter's months and some are open. */
  closes: boolean;
  /** True if the period is over and the user sees its numbers: it can be submitted, and submissions can be compared. */
  submits: boolean;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const closing = useCloseMonths(router.refresh);
  const kind = isQuarter(period) ? "quarter" : "fiscal year";
  const [withdrawing, setWithdrawing] = useState<number | null>(null);

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
      description={
        submits
          ? `Marking a ${kind} as submitted stores its numbers and the records behind them.${closes ? " Also close its months so that its forms can no longer be changed." : ""}`
          : undefined
      }
    >
      {submissions.length > 0 && (
        <ul className="list-disc pl-5">
          {submissions.map(({ id, moment, submittedBy, withdrawn, withdrawnMoment }) => (
            <li key={id}>
              {[moment, submittedBy].filter(Boolean).join(", ")}
              {submits && (
                <>
                  :{" "}
                  <Link className="link" href={to("reportsSubmission", { report, id })}>
                    changes since then
                  </Link>
                </>
              )}
              {withdrawn && withdrawnMoment && (
                <p className="wrap-anywhere">
                  <StatusBadge badge={WITHDRAWN} /> {withdrawalWords(withdrawn, withdrawnMoment)}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {more && (
        <p>{`Only the latest ${submissions.length} submissions are listed. There are earlier ones.`}</p>
      )}
      <ErrorAlert messages={messages ?? closing.messages} />
      <div className="flex flex-wrap gap-3">
        {submits && (
          <Button busy={busy} onClick={submit}>
            {counting ? "Mark as submitted again" : "Mark as submitted"}
          </Button>
        )}
        {counting?.mayWithdraw && (
          <Button onClick={() => setWithdrawing(counting.id)}>Withdraw submission</Button>
        )}
        {closes && (
          <Button busy={closing.busy} onClick={() => void closing.ask(period.to)}>
            Close forms through {date(period.to)}
          </Button>
        )}
      </div>
      {closing.dialog}
      <WithdrawDialog
        report={report}
        id={withdrawing}
        onClose={() => setWithdrawing(null)}
        onDone={() => {
          setWithdrawing(null);
          notify.success("Withdrew the submission");
          router.refresh();
        }}
      />
    </Section>
  );
}
