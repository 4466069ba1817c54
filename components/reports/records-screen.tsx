import type { ComponentProps } from "react";
import { PageTitle } from "@/components/shell/page-title";
import { ExportLinks } from "@/components/ui/export-links";
import { FocusRow } from "@/components/ui/focus-row";
import { Link } from "@/components/ui/link";
import { fromRecords } from "@/lib/core/api/back-link";
import { counted } from "@/lib/core/fields/format";
import { to } from "@/lib/core/pages";
import { type ReportKey, reports } from "@/lib/reports/definitions";
import { periodName } from "@/lib/reports/periods";
import type { ContactRow, StayRow } from "@/lib/reports/records";
import type { ReportQuery } from "@/lib/reports/schema";
import { ContactsBehind } from "./contacts-behind";
import { askedIn } from "./links";
import { RecordsList } from "./records-list";
import { StaysBehind } from "./stays-behind";

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
  stays,
  contacts,
  unlisted,
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
  /** The stays of a line that counts stays or nights instead of clients. */
  stays: StayRow[] | null;
  /** The contacts of a line that counts contacts instead of clients. */
  contacts: ContactRow[] | null;
  /** The number of clients with forms below contacts that are too many to list. */
  unlisted: number;
} & Omit<ComponentProps<typeof RecordsList>, "label" | "lastDay" | "fromRow">) {
  const { page, perPage } = list.meta;
  const query = askedIn(asked, { page: String(page), perPage: String(perPage) });
  /** Returns the query of links from a row to its records, which leads back to that row. */
  const fromRow = (row: number) => fromRecords(path, query, row);
  return (
    <>
      <PageTitle title={title} />
      <p>
        <Link className="link" href={to("reportsShow", { report }) + askedIn(asked)}>
          {reports[report].title}
        </Link>
        {section && `, ${section}`}, {periodName(asked)}
      </p>
      <p className="mb-4 text-muted">{help}</p>
      {mayExport && (
        <div className="print-hidden mb-4">
          <ExportLinks path={file} query={askedIn(asked)} />
        </div>
      )}
      <FocusRow />
      {contacts && <ContactsBehind label={title} {...{ contacts, fromRow }} {...list} />}
      {stays && <StaysBehind label={title} {...{ stays, fromRow }} {...list} />}
      {contacts && list.rows.length > 0 && (
        <>
          <RecordsList
            label={`${title}: forms`}
            lastDay={asked.to}
            {...{ fromRow }}
            {...list}
            total={list.rows.length + unlisted}
          />
          {unlisted > 0 && (
            <p>
              {`Only the first ${counted(list.rows.length, "client")} are listed here.${mayExport ? " The file has the forms of all of them." : ""}`}
            </p>
          )}
        </>
      )}
      {!contacts && !stays && <RecordsList label={title} lastDay={asked.to} {...{ fromRow }} {...list} />}
    </>
  );
}
