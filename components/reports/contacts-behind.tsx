import { Link } from "@/components/ui/link";
import { CONTACT_LABELS } from "@/lib/contacts/words";
import { rowAnchor } from "@/lib/core/api/back-link";
import { date, whole } from "@/lib/core/fields/format";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import type { ContactRow } from "@/lib/reports/records";

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
            <th scope="col">{CONTACT_LABELS.contactedOn}</th>
            <th scope="col">{CONTACT_LABELS.contactKind}</th>
            <th scope="col">{CONTACT_LABELS.number}</th>
            <th scope="col">{CONTACT_LABELS.minutes}</th>
            <th scope="col">{ADVOCATE_NAME}</th>
          </tr>
        </thead>
        <tbody>
          {contacts.map(({ id, contactedOn, kind, number, minutes, advocate }, row) => (
            <tr key={id} id={rowAnchor(row)}>
              <td data-label={CONTACT_LABELS.contactedOn}>
                <Link className="link" href={to("contactsEdit", { id }) + fromRow(row)}>
                  {date(contactedOn)}
                </Link>
              </td>
              <td data-label={CONTACT_LABELS.contactKind}>{kind}</td>
              <td data-label={CONTACT_LABELS.number}>{whole(number)}</td>
              <td data-label={CONTACT_LABELS.minutes}>{whole(minutes)}</td>
              <td data-label={ADVOCATE_NAME}>{advocate}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
