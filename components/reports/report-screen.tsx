import type { ComponentProps } from "react";
import { PrintHead } from "@/components/forms/reading-view";
import { PageTitle } from "@/components/shell/page-title";
import { ErrorAlert } from "@/components/ui/alert";
import { StatusBadge } from "@/components/ui/badge";
import { LinkButton } from "@/components/ui/controls";
import { DownloadLink } from "@/components/ui/download-link";
import { Link } from "@/components/ui/link";
import { PrintButton } from "@/components/ui/print-button";
import type { Brand } from "@/lib/core/branding/brand";
import { to } from "@/lib/core/pages";
import { counted, date } from "@/lib/core/text/format";
import { copyPeriodsOnly, OWN_NUMBERS_ONLY } from "@/lib/reports/access";
import { countsNothing } from "@/lib/reports/counts-nothing";
import { SUPPRESSION_NOTE } from "@/lib/reports/csv";
import { type ReportKey, reports } from "@/lib/reports/definitions";
import { type NamedPeriod, periodName, quarterOf } from "@/lib/reports/periods";
import type { GapCount } from "@/lib/reports/reports";
import type { Report, ReportQuery } from "@/lib/reports/schema";
import type { ReaderChoice as ReaderChoiceData } from "@/lib/reports/screen";
import { GAPS, Gaps } from "./gaps";
import { askedIn } from "./links";
import { type Filters, PeriodForm } from "./period-form";
import { ReaderChoice } from "./reader-choice";
import { ReportView } from "./report-view";
import { stateBadge } from "./state-badge";
import { Submissions } from "./submissions";

/** A report on screen and in print, with its filters, its CSV file and its submissions. */
export function ReportScreen({
  brand,
  printedBy,
  printedOn,
  ...screen
}: {
  brand: Brand;
  printedBy: string;
  printedOn: string;
  report: Report | null;
  reportKey: ReportKey;
  gaps: GapCount[];
  /** The replica's delay in words; null if the numbers come from the primary. */
  behind: string | null;
  failed: string | string[] | null;
  asked: ReportQuery;
  filters: Filters;
  periods: NamedPeriod[];
  marks: ReadonlyMap<string, string>;
  isCopy: boolean;
  opens: ComponentProps<typeof ReportView>["opens"];
  mayExport: boolean;
  /** Null if nothing can be submitted: the period is not a quarter, or a filter is set. */
  submissions: ComponentProps<typeof Submissions>["submissions"] | null;
  /** True if the period has more submissions than these. */
  moreSubmissions: boolean;
  /** The submission that counts; null if there is none. */
  counting: ComponentProps<typeof Submissions>["counting"];
  /** The day the report is due; null if nothing can be submitted, or before the first quarter that is due. */
  due: string | null;
  today: string;
  closes: boolean;
  /** True if the period may be shown without small numbers. */
  mayShare: boolean;
  /** True if the last day of the period is over. */
  hasEnded: boolean;
  /** True if the user sees the numbers of all records. */
  seesAll: boolean;
  /** The choices of a user without All Forms; null with All Forms. */
  choice: ReaderChoiceData | null;
  /** True if the user may not see these numbers. */
  isRefused: boolean;
  /** True if that is because no copy for sharing may be made of these days. */
  isCopyRefused: boolean;
}) {
  const { report, reportKey, due, today, behind, failed, asked, filters, periods, opens, marks, isCopy } =
    screen;
  const { mayExport, submissions, choice, seesAll } = screen;
  const { title, advice } = reports[reportKey];
  const path = to("reportsShow", { report: reportKey });
  const share = isCopy ? { share: "true" } : undefined;
  // Readers without All Forms stay in what they have chosen.
  const current = isCopy ? "copy" : choice?.isOwn ? "mine" : null;
  const fixed = {
    ...(choice && isCopy && { share: "true" }),
    ...(current === "mine" && { userId: String(asked.userId) }),
  };
  const named = (list: Filters["users"], id: number | null) => list?.find((item) => item.id === id)?.name;
  const filterNames = [named(filters.users, asked.userId), named(filters.formTypes, asked.formTypeId)].filter(
    Boolean,
  );
  const gaps = report && !isCopy ? screen.gaps.filter(({ clients }) => clients !== 0) : [];
  const submittedAt = screen.counting?.submittedAt ?? null;
  const isEmpty = report !== null && countsNothing(report);
  const now = quarterOf(today);
  const covers = [
    periodName(asked),
    ...(current === "mine" ? ["your own records"] : []),
    ...filterNames,
  ].join(", ");
  return (
    <div className="report-print">
      <div className="print-hidden">
        <PageTitle title={title} />
        <p className="text-lg">
          {brand.organization}: {covers}
        </p>
        <p className="mb-4 flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1">
          {submissions !== null && (
            <>
              {due ? `Due ${date(due)}` : "Not due"}
              <StatusBadge badge={stateBadge({ submittedAt, due, gaps: gaps.length, isEmpty }, today)} />
            </>
          )}
          {isEmpty && !isCopy && asked.to < now.from && (
            <Link className="link touch-link" href={path + askedIn({ ...asked, ...now })}>
              {`${periodName(now)} so far`}
            </Link>
          )}
          {gaps.length > 0 && (
            <a className="link touch-link" href={`#${GAPS}`}>
              {counted(gaps.length, "gap")}
            </a>
          )}
        </p>
      </div>
      <div className="print-only">
        <PrintHead
          brand={brand}
          title={title}
          rows={[
            { label: "Period", text: covers },
            { label: "Printed on", text: printedOn },
            { label: "Printed by", text: printedBy },
          ]}
        />
      </div>
      {advice && <p className="mb-4">{advice}</p>}
      {choice && <ReaderChoice report={reportKey} {...{ asked, choice, current }} />}
      {/* As wide as the report. */}
      <div className="max-w-180 sm:[&_select]:max-w-43">
        <PeriodForm action={path} fixed={fixed} asked={asked} periods={periods} {...filters}>
          {report && <PrintButton />}
          {mayExport && report && (
            <DownloadLink href={`/api/reports/${reportKey}/csv${askedIn(asked, share)}`}>
              Download CSV
            </DownloadLink>
          )}
          {!isCopy && screen.mayShare && seesAll && (
            <LinkButton href={path + askedIn(asked, { share: "true" })}>
              Copy for sharing, without small numbers
            </LinkButton>
          )}
        </PeriodForm>
      </div>
      {isCopy && (
        <p className="mb-4">
          Copy for sharing. {SUPPRESSION_NOTE}{" "}
          {seesAll && (
            <Link className="link touch-link print-hidden" href={path + askedIn(asked)}>
              Show exact numbers
            </Link>
          )}
        </p>
      )}
      {screen.isRefused && (
        <p className="mb-4">
          {screen.isCopyRefused ? `${copyPeriodsOnly(reports[reportKey])}.` : OWN_NUMBERS_ONLY}{" "}
          {seesAll && (
            <Link className="link touch-link print-hidden" href={path + askedIn(asked)}>
              Show exact numbers
            </Link>
          )}
        </p>
      )}
      {failed && <ErrorAlert messages={failed} />}
      {gaps.length > 0 && <Gaps report={reportKey} {...{ gaps, asked, opens }} />}
      {submissions && (submissions.length > 0 || (seesAll && screen.hasEnded)) && (
        <div className="mb-4 max-w-180">
          <Submissions
            report={reportKey}
            period={{ from: asked.from, to: asked.to }}
            submissions={submissions}
            more={screen.moreSubmissions}
            counting={screen.counting}
            closes={screen.closes}
            submits={seesAll && screen.hasEnded}
            gaps={gaps}
            opens={opens}
          />
        </div>
      )}
      {behind && <p className="mb-4 text-muted text-sm">{behind}</p>}
      {report && <ReportView {...{ report, asked, opens, marks, isCopy }} />}
    </div>
  );
}
