import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { counted } from "@/lib/core/fields/format";
import { to } from "@/lib/core/pages";
import { type BlockName, listedBlock, type ReportKey, recordName } from "@/lib/reports/definitions";
import type { GapCount } from "@/lib/reports/reports";
import type { ReportQuery } from "@/lib/reports/schema";
import { askedIn } from "./links";

/** The id of the list of gaps on a report's page. */
export const GAPS = "gaps";

/** Lists how many clients and records lack each value that a report needs. */
export function Gaps({
  gaps,
  report,
  asked,
  opens,
}: {
  gaps: readonly GapCount[];
  report: ReportKey;
  asked: ReportQuery;
  /** For each block, if its gaps link to their records. */
  opens: Readonly<Record<BlockName, boolean>>;
}) {
  return (
    <Section title={counted(gaps.length, "gap")} id={GAPS} className="print-hidden mb-4">
      <ul className="space-y-2 rounded-lg bg-warning-soft px-3 py-2 text-warning">
        {gaps.map(({ field, label, records, help, block, lists, clients, forms }) => (
          <li key={field}>
            <strong>{label}.</strong>{" "}
            {`${counted(clients, "client")}, ${counted(forms, lists ?? recordName(report, block))}.`} {help}{" "}
            {opens[listedBlock({ block, lists })] && (
              <Link className="link" href={to("reportsGap", { report, field }) + askedIn(asked)}>
                Show the records {records}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
