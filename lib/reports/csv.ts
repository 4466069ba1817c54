import { csvText } from "@/lib/fields/csv";
import { date } from "@/lib/fields/format";
import type { Report, Time } from "@/lib/reports/schema";
import { SMALL, suppressed, WITHHELD } from "@/lib/reports/suppression";

export const SUPPRESSION_NOTE = `${SMALL} stands for 1 to 4. ${WITHHELD} stands for a number from which one of these could be worked out.`;

/** A report's lines and notes as CSV; with `forSharing`, small numbers are suppressed. */
export function reportCsv(report: Report, forSharing: boolean): string {
  const shown = forSharing ? suppressed(report) : null;
  return csvText([
    ["Section", "Line", "Label", "Unit", "Count"],
    ...report.sections.flatMap((section) =>
      section.lines.map((line) => [
        section.title,
        line.key,
        line.label,
        line.unit,
        shown?.get(line.key) ?? line.count,
      ]),
    ),
    [],
    [report.title, `${date(report.from)} to ${date(report.to)}`],
    ...(forSharing ? [[SUPPRESSION_NOTE]] : []),
    ...report.notes.map((note) => [note]),
  ]);
}

/** Minutes as CSV, one row for each day and code; Other Service minutes are rows of their own. */
export function timeCsv(time: Time): string {
  return csvText([
    ["Day", "Code", "Minutes"],
    ...time.days.flatMap((day) => [
      ...day.codes.map(({ code, minutes }) => [day.on, code, minutes]),
      ...(day.otherMinutes > 0 ? [[day.on, "Other Service", day.otherMinutes]] : []),
    ]),
    ["Total", "", time.minutes],
    ["Total", "Other Service", time.otherMinutes],
  ]);
}
