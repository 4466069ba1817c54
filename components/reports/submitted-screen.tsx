import { PageTitle } from "@/components/shell/page-title";
import { StatusBadge } from "@/components/ui/badge";
import { ExportLinks } from "@/components/ui/export-links";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { fromRecords } from "@/lib/core/api/back-link";
import { to } from "@/lib/core/pages";
import { counted, whole } from "@/lib/core/text/format";
import { lineOf, type ReportKey, recordName, reports } from "@/lib/reports/definitions";
import { periodName } from "@/lib/reports/periods";
import {
  CHANGE_WORDS,
  OLDER_RULES,
  type Submitted,
  type SubmittedLine,
} from "@/lib/reports/submissions/schema";
import { askedIn } from "./links";
import { WITHDRAWN, withdrawalWords } from "./withdrawn";

/** Shows a report as it was submitted, with today's number next to each one that has changed since. */
export function SubmittedScreen({
  report,
  submission,
  withdrawnMoment,
  mayExport,
}: {
  report: ReportKey;
  submission: Submitted;
  /** When it was withdrawn, in words; null if it was not. */
  withdrawnMoment: string | null;
  mayExport: boolean;
}) {
  const period = { from: submission.from, to: submission.to };
  const from = fromRecords(to("reportsSubmission", { report, id: submission.id }), "", 0);
  const changed = submission.lines.filter(({ count, now }) => now !== count);
  const same = submission.lines.filter(
    ({ forms, stays = [], contacts = [], events = [], surveys = [], more, count, now }) =>
      now === count &&
      forms.length + stays.length + contacts.length + events.length + surveys.length + more > 0,
  );
  return (
    <>
      <PageTitle title={`${reports[report].title}, as submitted`} />
      <p className="mb-4">
        <Link
          className="link touch-link"
          href={`${to("reportsShow", { report })}${askedIn({ ...period, userId: null, formTypeId: null })}`}
        >
          {periodName(period)}
        </Link>
        {submission.submittedBy && `, submitted by ${submission.submittedBy}`}
      </p>
      {submission.withdrawn && withdrawnMoment && (
        <p className="mb-4">
          <StatusBadge badge={WITHDRAWN} /> {withdrawalWords(submission.withdrawn, withdrawnMoment)}
        </p>
      )}
      {mayExport && (
        <div className="print-hidden mb-4">
          <ExportLinks path={`/api/reports/${report}/submissions/${submission.id}/changes`} query="" />
        </div>
      )}
      <div className="stack">
        <Section title="Changes since submission">
          {submission.olderRules ? (
            <p>No comparison with today: this report was {OLDER_RULES}.</p>
          ) : changed.length > 0 ? (
            <Lines title="Lines that changed" lines={changed} report={report} from={from} />
          ) : (
            <p>{same.length > 0 ? "No numbers have changed." : "Nothing has changed."}</p>
          )}
          {same.length > 0 && (
            <details>
              <summary className="min-h-control content-center">
                {`${counted(same.length, "number")} ${same.length === 1 ? "is the same, but counts" : "are the same, but count"} other records`}
              </summary>
              <Lines title="Lines with the same number" lines={same} report={report} from={from} />
            </details>
          )}
        </Section>
        <Section title="Submitted numbers">
          <Lines title="Lines as submitted" lines={submission.lines} report={report} />
        </Section>
      </div>
    </>
  );
}

function Lines({
  title,
  lines,
  report,
  from,
}: {
  title: string;
  lines: SubmittedLine[];
  report: ReportKey;
  /** The query of links to the changed records. Without it, they are not listed. */
  from?: string;
}) {
  /** Labels are not unique across sections. A line that the report no longer has is shown by its label alone. */
  const named = (key: string, label: string) => {
    const section = lineOf(report, key)?.section.title;
    return section ? `${section}: ${label}` : label;
  };
  return (
    <table className="data-table report-table" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col" className="number">
            Submitted
          </th>
          {from && (
            <th scope="col" className="number">
              Now
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {lines.map(
          ({ key, label, count, now, forms, stays = [], contacts = [], events = [], surveys = [], more }) => (
            <tr key={key}>
              <td>
                {named(key, label)}
                {from && (
                  <ul className="text-sm">
                    {forms.flatMap(({ formId, change }) =>
                      formId === undefined ? (
                        []
                      ) : (
                        <li key={formId}>
                          <Link className="link" href={to("formsEdit", { id: formId }) + from}>
                            Form {formId}
                          </Link>{" "}
                          {CHANGE_WORDS[change]}
                        </li>
                      ),
                    )}
                    {stays.flatMap(({ stayId, change }) =>
                      stayId === undefined ? (
                        []
                      ) : (
                        <li key={`stay ${stayId}`}>
                          <Link className="link" href={to("staysEdit", { id: stayId }) + from}>
                            Stay {stayId}
                          </Link>{" "}
                          {CHANGE_WORDS[change]}
                        </li>
                      ),
                    )}
                    {contacts.flatMap(({ contactId, change }) =>
                      contactId === undefined ? (
                        []
                      ) : (
                        <li key={`contact ${contactId}`}>
                          Contact {contactId} {CHANGE_WORDS[change]}
                        </li>
                      ),
                    )}
                    {events.flatMap(({ eventId, change }) =>
                      eventId === undefined ? (
                        []
                      ) : (
                        <li key={`event ${eventId}`}>
                          <Link
                            className="link"
                            href={to("recordsEdit", { records: "events", id: eventId }) + from}
                          >
                            Event {eventId}
                          </Link>{" "}
                          {CHANGE_WORDS[change]}
                        </li>
                      ),
                    )}
                    {surveys.flatMap(({ surveyId, change }) =>
                      surveyId === undefined ? (
                        []
                      ) : (
                        <li key={`survey ${surveyId}`}>
                          <Link
                            className="link"
                            href={to("recordsEdit", { records: "outcome_surveys", id: surveyId }) + from}
                          >
                            Outcome survey {surveyId}
                          </Link>{" "}
                          {CHANGE_WORDS[change]}
                        </li>
                      ),
                    )}
                    {Object.entries({
                      form: forms,
                      stay: stays,
                      contact: contacts,
                      event: events,
                      "outcome survey": surveys,
                    }).flatMap(([kind, changes]) => {
                      const removed = changes.filter(({ change }) => change === "removed").length;
                      return removed > 0 ? (
                        <li key={kind}>{`${counted(removed, kind)} removed since then`}</li>
                      ) : (
                        []
                      );
                    })}
                    {more > 0 && (
                      <li>and {counted(more, `more ${recordName(report, lineOf(report, key)?.block)}`)}</li>
                    )}
                  </ul>
                )}
              </td>
              <td className="number">{whole(count)}</td>
              {from && <td className="number">{now === null ? "no such line" : whole(now)}</td>}
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}
