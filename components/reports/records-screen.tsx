import type { ComponentProps } from "react";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { ExportLinks } from "@/components/ui/export-links";
import { FocusRow } from "@/components/ui/focus-row";
import { CheckIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { fromRecords } from "@/lib/core/api/back-link";
import type { Meta } from "@/lib/core/api/list-query";
import { to } from "@/lib/core/pages";
import { type ReportKey, reports } from "@/lib/reports/definitions";
import { periodName } from "@/lib/reports/periods";
import type { ContactRow, EventRow, RecordRow, StayRow, SurveyRow } from "@/lib/reports/records";
import type { ReportQuery } from "@/lib/reports/schema";
import type { ListKind, Totals } from "@/lib/reports/screen";
import { ContactsBehind } from "./contacts-behind";
import { EventsBehind, SurveysBehind } from "./events-behind";
import { askedIn } from "./links";
import { RecordsList } from "./records-list";
import { RecordsPages } from "./records-pages";
import { StaysBehind } from "./stays-behind";
import { totalWords } from "./total-words";

/** The records behind a number or a gap, with a link back to the report. */
export function RecordsScreen({
  report,
  title,
  section,
  help,
  asked,
  path,
  file,
  mayExport,
  kind,
  totals,
  meta,
  rows,
  stays,
  contacts,
  events,
  surveys,
  ...list
}: {
  report: ReportKey;
  title: string;
  /** The section of the report's line: labels are not unique across sections. */
  section?: string;
  help: string;
  asked: ReportQuery;
  /** The path of this screen. */
  path: string;
  /** The URL of the list as a file, without the format. */
  file: `/api/${string}`;
  mayExport: boolean;
  kind: ListKind;
  totals: Totals;
  meta: Meta;
  /** The records on this page: of one kind, or contacts and the clients with forms that follow them. */
  rows: RecordRow[];
  stays: StayRow[];
  contacts: ContactRow[];
  events: EventRow[];
  surveys: SurveyRow[];
} & Omit<ComponentProps<typeof RecordsList>, "label" | "lastDay" | "fromRow" | "rows" | "firstRow">) {
  const { page, perPage } = meta;
  const isClosedGap = list.place !== undefined && meta.totalCount === 0;
  const query = askedIn(asked, { page: String(page), perPage: String(perPage) });
  /** Returns the query of links from a row to its records, which leads back to that row. */
  const fromRow = (row: number) => fromRecords(path, query, row);
  return (
    <>
      <PageTitle title={title} />
      <p>
        <Link className="link touch-link" href={to("reportsShow", { report }) + askedIn(asked)}>
          {reports[report].title}
        </Link>
        {section && `, ${section}`}, {periodName(asked)}
      </p>
      <p className="mb-4 text-muted">{help}</p>
      <FocusRow />
      <div className="stack">
        {isClosedGap && <ClosedGap {...{ report, asked }} />}
        <div className="flex flex-wrap items-center justify-between gap-3 empty:hidden">
          {!isClosedGap && <p className="font-semibold">{totalWords(kind, totals)}</p>}
          {mayExport && (
            <div className="print-hidden ml-auto">
              <ExportLinks path={file} query={askedIn(asked)} />
            </div>
          )}
        </div>
        {contacts.length > 0 && <ContactsBehind label={title} {...{ contacts, fromRow }} />}
        {events.length > 0 && <EventsBehind label={title} rows={events} fromRow={fromRow} />}
        {surveys.length > 0 && <SurveysBehind label={title} rows={surveys} fromRow={fromRow} />}
        {stays.length > 0 && <StaysBehind label={title} {...{ stays, fromRow }} place={list.place} />}
        {rows.length > 0 && (
          <RecordsList
            label={kind === "contacts" ? `${title}: forms` : title}
            lastDay={asked.to}
            firstRow={contacts.length}
            {...{ rows, fromRow }}
            {...list}
          />
        )}
        {meta.totalCount > 0 && <RecordsPages meta={meta} />}
      </div>
    </>
  );
}

/** Says that no record is left in the list of a gap, and leads back to the report. */
const ClosedGap = ({ report, asked }: { report: ReportKey; asked: ReportQuery }) => (
  <div className="card flex max-w-180 flex-wrap items-center gap-4 p-4 sm:p-5">
    <span className="text-success">
      <CheckIcon />
    </span>
    <p className="min-w-0 flex-1 basis-60">
      This gap is closed: no record of {periodName(asked)} has it anymore.
    </p>
    <LinkButton variant="primary" href={to("reportsShow", { report }) + askedIn(asked)}>
      Back to {reports[report].title}
    </LinkButton>
  </div>
);
