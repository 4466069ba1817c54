import { Link } from "@/components/ui/link";
import type { NamedItem } from "@/lib/core/access/permissions";
import { rowAnchor } from "@/lib/core/api/back-link";
import { to } from "@/lib/core/pages";
import { date } from "@/lib/core/text/format";
import { anchorOnForm, type GapPlace, newFormAt } from "@/lib/reports/gap-places";
import type { RecordRow } from "@/lib/reports/records";
import { stayDays } from "./links";

/** Lists the clients of a page of the list behind a number or a gap, each with the forms and stays that count. A gap's links open at its field. */
export function RecordsList({
  label,
  rows,
  firstRow,
  opensClients,
  place,
  newFormType = null,
  lastDay,
  fromRow,
}: {
  label: string;
  rows: RecordRow[];
  /** The number of rows of other tables before these on the page. */
  firstRow: number;
  opensClients: boolean;
  place?: GapPlace;
  /** The form type to offer for a client whose forms all lack the field. */
  newFormType?: NamedItem | null;
  /** The last day of the period. */
  lastDay: string;
  /** Returns the query of links to the records of a row. */
  fromRow: (row: number) => string;
}) {
  const records = rows.some(({ stays }) => stays.length > 0) ? "Forms and Stays" : "Forms";
  return (
    <div className="card @container overflow-hidden">
      <table className="data-table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Client</th>
            <th scope="col">{records}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, purged, forms, stays }, at) => {
            const row = firstRow + at;
            return (
              <tr key={id} id={rowAnchor(row)}>
                <td data-label="Client">
                  {opensClients ? (
                    <Link
                      className="link"
                      href={
                        place?.onClient
                          ? to("clientsEdit", { id }) + fromRow(row) + place.onClient
                          : to("clientsShow", { id }) + fromRow(row)
                      }
                    >
                      {name}
                    </Link>
                  ) : (
                    name
                  )}
                  {newFormType && place && !purged && !forms.some(({ has }) => anchorOnForm(place, has)) && (
                    <p className="text-sm">
                      <Link
                        className="link"
                        href={newFormAt(id, newFormType.id, forms.at(-1)?.serviceOn ?? lastDay, fromRow(row))}
                      >
                        New {newFormType.name} form
                      </Link>
                    </p>
                  )}
                </td>
                <td data-label={records}>
                  <ul className="space-y-1">
                    {forms.map((form) => (
                      <li key={form.id}>
                        <Link
                          className="link"
                          href={`${to("formsEdit", { id: form.id })}${fromRow(row)}${place ? anchorOnForm(place, form.has) : ""}`}
                        >
                          {date(form.serviceOn)} {form.formType}
                        </Link>{" "}
                        <span className="text-muted text-sm">
                          {form.serviceStatus}, {form.advocate}
                        </span>
                      </li>
                    ))}
                    {stays.map((stay) => (
                      <li key={`stay ${stay.id}`}>
                        <Link className="link" href={to("staysEdit", { id: stay.id }) + fromRow(row)}>
                          {stayDays(stay)} {stay.shelter}
                        </Link>{" "}
                        <span className="text-muted text-sm">{stay.advocate}</span>
                      </li>
                    ))}
                  </ul>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
