import { csvText } from "@/lib/core/text/csv";
import { date } from "@/lib/core/text/format";
import type { Time } from "@/lib/reports/schema";
import { SMALL, type Suppressed, TOO_FEW, WITHHELD } from "@/lib/reports/suppression";

export const SUPPRESSION_NOTE = `${SMALL} means 1 to 4. ${WITHHELD} means 5 or more: the number would reveal one of these. “${TOO_FEW}” means any number.`;

/** Returns a report's lines, its period and filters, and its notes as CSV. Suppressed lines show their marks. */
export function reportCsv({ report, marks }: Suppressed, filters: readonly string[]): string {
  return csvText([
    ["Section", "Line", "Label", "Unit", "Count"],
    ...report.sections.flatMap((section) =>
      section.lines.map((line) => [
        section.title,
        line.key,
        line.label,
        line.unit,
        line.count ?? marks.get(line.key) ?? WITHHELD,
      ]),
    ),
    [],
    [report.title, `${date(report.from)} to ${date(report.to)}`, ...filters],
    ...(marks.size > 0 ? [[SUPPRESSION_NOTE]] : []),
    ...report.notes.map((note) => [note]),
  ]);
}

/** Returns minutes as CSV, one row per day and code. Other Service minutes, contacts, activities, and events have separate rows. */
export function timeCsv(time: Time): string {
  return csvText([
    ["Day", "Code", "Minutes"],
    ...time.days.flatMap((day) => [
      ...day.codes.map(({ code, minutes }) => [day.on, code, minutes]),
      ...(day.otherMinutes > 0 ? [[day.on, "Other Service", day.otherMinutes]] : []),
      ...(day.contactMinutes > 0 ? [[day.on, "Contacts", day.contactMinutes]] : []),
      ...(day.activityMinutes > 0 ? [[day.on, "Activities", day.activityMinutes]] : []),
      ...(day.sessionMinutes > 0 ? [[day.on, "Group Sessions", day.sessionMinutes]] : []),
      ...(day.eventMinutes > 0 ? [[day.on, "Events", day.eventMinutes]] : []),
    ]),
    ["Total", "", time.minutes],
    ["Total", "Other Service", time.otherMinutes],
    ...(time.contactMinutes > 0 ? [["Total", "Contacts", time.contactMinutes]] : []),
    ...(time.activityMinutes > 0 ? [["Total", "Activities", time.activityMinutes]] : []),
    ...(time.sessionMinutes > 0 ? [["Total", "Group Sessions", time.sessionMinutes]] : []),
    ...(time.eventMinutes > 0 ? [["Total", "Events", time.eventMinutes]] : []),
  ]);
}
