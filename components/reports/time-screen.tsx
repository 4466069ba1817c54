import { PageTitle } from "@/components/shell/page-title";
import { DownloadLink } from "@/components/ui/download-link";
import { PrintButton } from "@/components/ui/print-button";
import { PAGES, to } from "@/lib/core/pages";
import { type NamedPeriod, periodName } from "@/lib/reports/periods";
import type { ReportQuery, Time } from "@/lib/reports/schema";
import { askedIn } from "./links";
import { type Filters, PeriodForm } from "./period-form";
import { TimeView } from "./time-view";

/** The user's own minutes, or a colleague's, over any period. */
export function TimeScreen({
  asked,
  time,
  filters,
  periods,
  mayExport,
}: {
  asked: ReportQuery;
  time: Time;
  filters: Filters;
  periods: NamedPeriod[];
  mayExport: boolean;
}) {
  const whose = filters.users?.find(({ id }) => id === asked.userId)?.name;
  return (
    <>
      <PageTitle title={PAGES.reportsTime.title} />
      <p className="text-lg">{[whose, periodName(asked)].filter(Boolean).join(": ")}</p>
      <p className="mb-4 text-muted">Hours and minutes (HH:MM)</p>
      <PeriodForm action={to("reportsTime")} asked={asked} periods={periods} allUsers="Myself" {...filters}>
        <PrintButton />
        {mayExport && (
          <DownloadLink href={`/api/reports/time/csv${askedIn(asked)}`}>Download CSV</DownloadLink>
        )}
      </PeriodForm>
      <TimeView time={time} period={asked} />
    </>
  );
}
