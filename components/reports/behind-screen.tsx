import { PageTitle } from "@/components/shell/page-title";
import { Link } from "@/components/ui/link";
import { type ReportKey, reports } from "@/lib/reports/definitions";
import type { RecordRow } from "@/lib/reports/records";
import type { Asked } from "@/lib/reports/schema";
import { askedIn, periodName } from "./links";
import { RecordsList } from "./records-list";

/** The records behind a number or a gap, and the way back to the report. */
export function BehindScreen({
  report,
  title,
  help,
  asked,
  ...list
}: {
  report: ReportKey;
  title: string;
  help: string;
  asked: Asked;
  rows: RecordRow[];
  total: number;
  hidden: number;
  opensClients: boolean;
  clientAnchor?: string;
  formAnchor?: string;
}) {
  return (
    <>
      <PageTitle title={title} />
      <p>
        <Link className="link" prefetch={false} href={`/reports/${report}${askedIn(asked)}`}>
          {reports[report].title}
        </Link>
        , {periodName(asked)}
      </p>
      <p className="mb-4 text-muted">{help}</p>
      <RecordsList label={title} {...list} />
    </>
  );
}
