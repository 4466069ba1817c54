"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useCloseMonths } from "@/components/forms/periods/close-months";
import { ErrorAlert } from "@/components/ui/alert";
import { StatusBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { useFailure } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { counted, date } from "@/lib/core/text/format";
import type { BlockName, ReportKey } from "@/lib/reports/definitions";
import { isQuarter, type Period } from "@/lib/reports/periods";
import type { GapCount } from "@/lib/reports/reports";
import type { Submission } from "@/lib/reports/submissions/schema";
import { GapList } from "./gaps";
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
  gaps,
  opens,
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
  /** The open gaps, which are listed before the period is submitted. */
  gaps: readonly GapCount[];
  /** For each block, if its gaps link to their records. */
  opens: Readonly<Record<BlockName, boolean>>;
}) {
  const router = useRouter();
  const notify = useNotify();
  const { messages, busy, run } = useFailure();
  const closing = useCloseMonths(router.refresh);
  const kind = isQuarter(period) ? "quarter" : "fiscal year";
  const [withdrawing, setWithdrawing] = useState<number | null>(null);
  const [asking, setAsking] = useState(false);

  function submit() {
    setAsking(false);
    return run(async () => {
      await call("POST /api/reports/{key}/submissions", {
        params: { key: report },
        body: { submission: period },
      });
      notify.success(`Marked the ${kind} as submitted`);
      router.refresh();
    });
  }

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
          <Button busy={busy} onClick={() => (gaps.length > 0 ? setAsking(true) : void submit())}>
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
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Submit with ${counted(gaps.length, "gap")}?`}
        description="The numbers are stored as they are now. You can fill the gaps first, or submit again later."
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button variant="primary" onClick={() => void submit()}>
              Submit with gaps
            </Button>
          </>
        }
      >
        <GapList
          gaps={gaps}
          report={report}
          asked={{ ...period, userId: null, formTypeId: null }}
          opens={opens}
        />
      </Dialog>
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
