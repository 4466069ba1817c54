import { Fragment, type ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { to } from "@/lib/core/pages";
import { counted, whole } from "@/lib/core/text/format";
import { type BlockName, lineOf, type Unit } from "@/lib/reports/definitions";
import type { Report, ReportQuery } from "@/lib/reports/schema";
import { askedIn } from "./links";

const UNIT_NAMES: Record<Unit, string> = {
  individuals: "individuals",
  new: "new individuals",
  times: "times",
  minutes: "minutes",
  nights: "nights",
};

/** On a phone, a line is as high as a control. */
const TOUCHED = "leading-(--control-height) sm:not-pointer-coarse:leading-normal";

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
    <div className="stack max-w-180">
      {report.sections.map(({ key, title, lines }) => {
        const unit = commonUnit(lines);
        return (
          <details key={key} open className="card report-section group/section">
            <summary className="flex min-h-control items-center gap-3 px-4 py-2 sm:px-5">
              <h2 className="min-w-0 flex-1 font-semibold text-lg">{title}</h2>
              {/* A hidden small number may be zero. */}
              {!isCopy && (
                <span className="text-muted text-sm group-open/section:hidden">{summaryOf(lines)}</span>
              )}
            </summary>
            <table className="data-table report-table mb-3" aria-label={title}>
              <thead>
                <tr>
                  <th scope="col">
                    <span className="sr-only">Line</span>
                  </th>
                  <th scope="col" className="number">
                    {UNIT_NAMES[unit]}
                  </th>
                </tr>
              </thead>
              <tbody>
                {lines.map((line) => (
                  <tr key={line.key}>
                    <td>
                      <details>
                        <summary className="pl-5.5 -indent-5.5">
                          {breakable(line.label)}
                          {line.unit !== unit && (
                            <span className="text-muted text-sm"> ({UNIT_NAMES[line.unit]})</span>
                          )}
                        </summary>
                        <p className="text-muted text-sm">{line.help}</p>
                      </details>
                      <p className="print-only text-muted text-xs">{sharesIn(report.key, line)}</p>
                    </td>
                    <td className={`number ${TOUCHED} ${line.count === 0 ? "text-muted" : ""}`}>
                      {opensLine(line.key) && line.count !== 0 ? (
                        <Link
                          className="link"
                          href={to("reportsLine", { report: report.key, line: line.key }) + askedIn(asked)}
                          aria-label={`${textOf(line.key, line.count)}: ${line.label}, show the records`}
                        >
                          {textOf(line.key, line.count)}
                        </Link>
                      ) : (
                        textOf(line.key, line.count)
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </details>
        );
      })}
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

type Line = Report["sections"][number]["lines"][number];

/** Returns the part of a line's help about the numbers of this report: how many said yes, of how many. Paper has it too. */
function sharesIn(report: Report["key"], { key, help }: Line): string {
  const words = lineOf(report, key)?.help ?? help;
  return help.startsWith(words) ? help.slice(words.length).trim() : "";
}

/** Returns the unit of most lines, for the header: lines with another unit name it. Of two, the one that appears first. */
function commonUnit(lines: readonly Line[]): Unit {
  const countOf = (unit: Unit) => lines.filter((line) => line.unit === unit).length;
  const units = new Set(lines.map(({ unit }) => unit));
  return [...units].reduce((most, unit) => (countOf(unit) > countOf(most) ? unit : most));
}

/** Returns the line that a folded section shows. */
function summaryOf(lines: readonly Line[]): string {
  const aboveZero = lines.filter(({ count }) => count !== 0).length;
  return aboveZero === 0 ? "All zero" : `${aboveZero} of ${counted(lines.length, "line")} above zero`;
}

/** Allows a line break after each slash, where browsers do not break by themselves. */
const breakable = (label: string): ReactNode =>
  label.split(/(?<=\/)/).map((part, at) => (
    <Fragment key={part}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
