import { Link } from "@/components/ui/link";
import { rowAnchor } from "@/lib/core/api/back-link";
import { ADVOCATE_NAME } from "@/lib/core/fields/words";
import { to } from "@/lib/core/pages";
import { counted, peopleWords } from "@/lib/core/text/format";
import type { GapPlace } from "@/lib/reports/gap-places";
import type { StayRow } from "@/lib/reports/records";
import { STAY_LABELS } from "@/lib/shelter/words";
import { stayDays } from "./links";

/** Lists the stays of a page of the list behind a number or a gap, without names. The nights are those in the period. */
export function StaysBehind({
  label,
  stays,
  place,
  fromRow,
}: {
  label: string;
  stays: StayRow[];
  place?: GapPlace;
  /** Returns the query of links to the record of a row. */
  fromRow: (row: number) => string;
}) {
  return (
    <div className="card @container overflow-hidden">
      <table className="data-table" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Stay</th>
            <th scope="col">{STAY_LABELS.shelter}</th>
            <th scope="col">People</th>
            <th scope="col">Nights</th>
            <th scope="col">{ADVOCATE_NAME}</th>
          </tr>
        </thead>
        <tbody>
          {stays.map((stay, row) => (
            <tr key={stay.id} id={rowAnchor(row)}>
              <td data-label="Stay">
                <Link
                  className="link"
                  href={to("staysEdit", { id: stay.id }) + fromRow(row) + (place?.onStay ?? "")}
                >
                  {stayDays(stay)}
                </Link>
              </td>
              <td data-label={STAY_LABELS.shelter}>{stay.shelter}</td>
              <td data-label="People">{peopleWords(stay.people)}</td>
              <td data-label="Nights">{counted(stay.nights, "night")}</td>
              <td data-label={ADVOCATE_NAME}>{stay.advocate}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
