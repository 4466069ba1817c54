import { Fragment, type ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { whole } from "@/lib/core/fields/format";
import { to } from "@/lib/core/pages";
import { type BlockName, lineOf } from "@/lib/reports/definitions";
import type { Report, ReportQuery } from "@/lib/reports/schema";
import { askedIn } from "./links";

const UNIT_NAMES = {
  ...{ individuals: "individuals", new: "new individuals", times: "times", minutes: "minutes" },
  nights: "nights",
};

type Props = {
  report: Report;
  asked: ReportQuery;
  /** For each block, if its numbers link to the records behind them. */
  opens: Readonly<Record<BlockName, boolean>>;
  /** The mark to show instead of each suppressed count. */
  marks: ReadonlyMap<string, string>;
  /** A copy for sharing has no links. */
  isCopy: boolean;
};

/** A report: every section with its lines, and the notes on what the report lacks. */
export function ReportView({ report, asked, opens, marks, isCopy }: Props) {
  const opensLine = (key: string) => !isCopy && opens[lineOf(report.key, key)?.block ?? "people"];
  const textOf = (key: string, count: number | null) => (count === null ? marks.get(key) : whole(count));
  return (
    <div className="stack">
      {report.sections.map((section) => (
        <Section key={section.key} title={section.title}>
          <table className="data-table report-table" aria-label={section.title}>
            <thead className="sr-only">
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Unit</th>
                <th scope="col">Count</th>
              </tr>
            </thead>
            <tbody>
              {section.lines.map(({ key, label, unit, count, help }) => (
                <tr key={key}>
                  <td>
                    <details>
                      <summary>{breakable(label)}</summary>
                      <p className="text-muted text-sm">{help}</p>
                    </details>
                  </td>
                  <td className="unit text-muted text-sm max-sm:text-xs">{UNIT_NAMES[unit]}</td>
                  <td className="number">
                    {opensLine(key) && count !== 0 ? (
                      <Link
                        className="link"
                        href={to("reportsLine", { report: report.key, line: key }) + askedIn(asked)}
                        aria-label={`${textOf(key, count)}: ${label}, show the records`}
                      >
                        {textOf(key, count)}
                      </Link>
                    ) : (
                      textOf(key, count)
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      ))}
      <Section title="About this report">
        <ul className="list-disc space-y-1 pl-5">
          {report.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

/** Allows a line break after each slash, where browsers do not break by themselves. */
const breakable = (label: string): ReactNode =>
  label.split(/(?<=\/)/).map((part, at) => (
    <Fragment key={part}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
