import { PageTitle } from "@/components/shell/page-title";
import { Link } from "@/components/ui/link";
import { to } from "@/lib/core/pages";
import { OWN_NUMBERS_ONLY } from "@/lib/reports/access";
import { type ReportKey, reports } from "@/lib/reports/definitions";
import { periodName } from "@/lib/reports/periods";
import type { ReportQuery } from "@/lib/reports/schema";
import type { ReaderChoice as Choice } from "@/lib/reports/screen";
import { askedIn } from "./links";

type Props = { report: ReportKey; asked: ReportQuery; choice: Choice };

/** The links of readers without All Forms: a copy for sharing, and the own records of the same days. */
export function ReaderChoice({
  report,
  asked,
  choice,
  current,
}: Props & { current: "copy" | "mine" | null }) {
  const path = to("reportsShow", { report });
  const copy = { ...choice.copy, userId: null, formTypeId: null };
  const mine = { from: asked.from, to: asked.to, userId: choice.readerId, formTypeId: null };
  return (
    <ul className="link-list print-hidden mb-4 flex flex-wrap gap-x-4 gap-y-1">
      <li>
        <Link
          className="link"
          href={path + askedIn(copy, { share: "true" })}
          aria-current={current === "copy" ? "true" : undefined}
        >
          {`Copy for sharing, ${periodName(choice.copy)}`}
        </Link>
      </li>
      <li>
        <Link
          className="link"
          href={path + askedIn(mine)}
          aria-current={current === "mine" ? "true" : undefined}
        >
          {`Your own records, ${periodName(mine)}`}
        </Link>
      </li>
    </ul>
  );
}

/** Replaces a screen whose numbers the reader may not see. */
export function RefusedNumbers(props: Props) {
  return (
    <>
      <PageTitle title={reports[props.report].title} />
      <p className="mb-4">{OWN_NUMBERS_ONLY}</p>
      <ReaderChoice {...props} current={null} />
    </>
  );
}
