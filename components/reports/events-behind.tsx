import { Link } from "@/components/ui/link";
import { rowAnchor } from "@/lib/core/api/back-link";
import { labelIn } from "@/lib/core/fields/facts";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import { date, whole } from "@/lib/core/text/format";
import { eventSchema } from "@/lib/events/record";
import { outcomeSurveySchema } from "@/lib/outcomes/record";
import { SERVICE_KINDS } from "@/lib/outcomes/words";
import type { EventRow, SurveyRow } from "@/lib/reports/records";

type Props<Row> = {
  label: string;
  rows: Row[];
  /** Returns the query of links to the record of a row. */
  fromRow: (row: number) => string;
};

const ofEvent = (name: string) => labelIn(eventSchema, name);
const ofSurvey = (name: string) => labelIn(outcomeSurveySchema, name);

/** Lists the events of a page of the list behind a number. */
export function EventsBehind({ label, rows, fromRow }: Props<EventRow>) {
  return (
    <div className="card @container overflow-hidden">
      <table className="data-table" aria-label={label}>
        <thead>
          <tr>
            {["heldOn", "eventKindId", "title", "attended", "seriesPeople"].map((name) => (
              <th key={name} scope="col">
                {ofEvent(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, heldOn, kind, title, attended, seriesPeople }, row) => (
            <tr key={id} id={rowAnchor(row)}>
              <td data-label={ofEvent("heldOn")}>
                <Link className="link" href={to("recordsEdit", { records: "events", id }) + fromRow(row)}>
                  {date(heldOn)}
                </Link>
              </td>
              <td data-label={ofEvent("eventKindId")}>{kind}</td>
              <td data-label={ofEvent("title")}>{title}</td>
              <td data-label={ofEvent("attended")}>{whole(attended)}</td>
              <td data-label={ofEvent("seriesPeople")}>{seriesPeople === null ? "" : whole(seriesPeople)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Lists the outcome surveys of a page of the list behind a number. */
export function SurveysBehind({ label, rows, fromRow }: Props<SurveyRow>) {
  return (
    <div className="card @container overflow-hidden">
      <table className="data-table" aria-label={label}>
        <thead>
          <tr>
            {["countedOn", "serviceKind", "completed"].map((name) => (
              <th key={name} scope="col">
                {ofSurvey(name)}
              </th>
            ))}
            <th scope="col">{ADVOCATE_NAME}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, countedOn, serviceKind, completed, advocate }, row) => (
            <tr key={id} id={rowAnchor(row)}>
              <td data-label={ofSurvey("countedOn")}>
                <Link
                  className="link"
                  href={to("recordsEdit", { records: "outcome_surveys", id }) + fromRow(row)}
                >
                  {date(countedOn)}
                </Link>
              </td>
              <td data-label={ofSurvey("serviceKind")}>
                {SERVICE_KINDS.find(({ value }) => value === serviceKind)?.label}
              </td>
              <td data-label={ofSurvey("completed")}>{whole(completed)}</td>
              <td data-label={ADVOCATE_NAME}>{advocate}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
