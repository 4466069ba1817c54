import { minutes } from "@/lib/core/text/format";
import type { Period } from "@/lib/reports/periods";
import type { Time } from "@/lib/reports/schema";
import { timeTable } from "./time-table";
import { WideTable } from "./wide-table";

/**
 * Minutes by service code and day, week, month or year as HH:MM, with totals. Other Service, contacts, activities, and events have
 * rows of their own below the total.
 */
export function TimeView({ time, period }: { time: Time; period: Period }) {
  if (time.days.length === 0) return <p>No minutes in this period.</p>;
  const { columns, codes, total, apart } = timeTable(time, period);
  const cells = ({ label, minutes: parts, sum }: (typeof codes)[number]) => (
    <>
      <th scope="row">{label}</th>
      {parts.map((part, at) => (
        <td key={columns[at]}>{part > 0 && minutes(part)}</td>
      ))}
      <td className="font-semibold">{minutes(sum)}</td>
    </>
  );
  return (
    <WideTable label="Minutes by code">
      <table className="data-table time-table">
        <thead>
          <tr>
            <th scope="col">Code</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {codes.map((row) => (
            <tr key={row.label}>{cells(row)}</tr>
          ))}
        </tbody>
        <tfoot>
          <tr>{cells(total)}</tr>
          {apart.map((row) => (
            <tr key={row.label} className="font-normal text-muted">
              {cells(row)}
            </tr>
          ))}
        </tfoot>
      </table>
    </WideTable>
  );
}
