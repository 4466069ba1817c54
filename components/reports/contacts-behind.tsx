import { Link } from "@/components/ui/link";
import { contactSchema } from "@/lib/contacts/record";
import { rowAnchor } from "@/lib/core/api/back-link";
import { labelIn } from "@/lib/core/fields/facts";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { byKey } from "@/lib/core/objects";
import { to } from "@/lib/core/pages";
import { date, whole } from "@/lib/core/text/format";
import type { ContactRow } from "@/lib/reports/records";

const labels = byKey(["contactedOn", "contactKindId", "number", "minutes"], (name) =>
  labelIn(contactSchema, name),
);

/** Lists the contacts of a page of the list behind a number. */
export function ContactsBehind({
  label,
  contacts,
  fromRow,
}: {
  label: string;
  contacts: ContactRow[];
  /** Returns the query of links to the record of a row. */
  fromRow: (row: number) => string;
}) {
  return (
    <div className="card @container overflow-hidden">
      <table className="data-table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{labels.contactedOn}</th>
            <th scope="col">{labels.contactKindId}</th>
            <th scope="col">{labels.number}</th>
            <th scope="col">{labels.minutes}</th>
            <th scope="col">{ADVOCATE_NAME}</th>
          </tr>
        </thead>
        <tbody>
          {contacts.map(({ id, contactedOn, kind, number, minutes, advocate }, row) => (
            <tr key={id} id={rowAnchor(row)}>
              <td data-label={labels.contactedOn}>
                <Link className="link" href={to("recordsEdit", { records: "contacts", id }) + fromRow(row)}>
                  {date(contactedOn)}
                </Link>
              </td>
              <td data-label={labels.contactKindId}>{kind}</td>
              <td data-label={labels.number}>{whole(number)}</td>
              <td data-label={labels.minutes}>{whole(minutes)}</td>
              <td data-label={ADVOCATE_NAME}>{advocate}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
