import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { to } from "@/lib/core/pages";
import { counted } from "@/lib/core/text/format";
import { type BlockName, listedBlock, type ReportKey, recordName } from "@/lib/reports/definitions";
import type { GapCount } from "@/lib/reports/reports";
import type { ReportQuery } from "@/lib/reports/schema";
import { askedIn } from "./links";

/** The id of the list of gaps on a report's page. */
export const GAPS = "gaps";

type Props = {
  gaps: readonly GapCount[];
  report: ReportKey;
  asked: ReportQuery;
  /** For each block, if its gaps link to their records. */
  opens: Readonly<Record<BlockName, boolean>>;
};

/** The gaps of a report in a section of its page. */
export function Gaps(props: Props) {
  return (
    <Section title={counted(props.gaps.length, "gap")} id={GAPS} className="print-hidden mb-4 max-w-180">
      <GapList {...props} />
    </Section>
  );
}

/** Lists how many clients and records lack each value that a report needs. */
export function GapList({ gaps, report, asked, opens }: Props) {
  return (
    <ul className="-my-2 divide-y divide-line">
      {gaps.map(({ field, label, records, help, block, lists, clients, forms }) => (
        <li key={field} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2">
          <div className="min-w-0 flex-1 basis-80">
            <p>
              <strong className="font-semibold">{label}</strong>{" "}
              {[
                ...(block === "events" ? [] : [counted(clients, "client")]),
                counted(forms, lists ?? recordName(report, block)),
              ].join(", ")}
            </p>
            <p className="text-muted text-sm">{help}</p>
          </div>
          {opens[listedBlock({ block, lists })] && (
            <Link
              className="link inline-flex min-h-control items-center"
              href={to("reportsGap", { report, field }) + askedIn(asked)}
            >
              Show the records<span className="sr-only"> {records}</span>
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
