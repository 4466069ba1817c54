import { date, minutes } from "@/lib/core/fields/format";
import type { Time } from "@/lib/reports/schema";

const [OTHER, CONTACTS] = ["Other Service", "Contacts"];

/**
 * Minutes by day and service code as HH:MM, with totals. Other Service and contacts have columns of their own, and are in no
 * total.
 */
export function TimeView({ time }: { time: Time }) {
  if (time.days.length === 0) return <p>No minutes in this period.</p>;
  const codes = [
    ...new Map(time.days.flatMap((day) => day.codes.map(({ serviceCodeId, code }) => [serviceCodeId, code]))),
  ];
  codes.sort(([, a], [, b]) => (a < b ? -1 : 1));
  const sumOf = (id: number) =>
    time.days.reduce(
      (sum, day) => sum + (day.codes.find(({ serviceCodeId }) => serviceCodeId === id)?.minutes ?? 0),
      0,
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard
    <section className="card overflow-x-auto" aria-label="Minutes by day and code" tabIndex={0}>
      <table className="data-table time-table">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Total</th>
            {codes.map(([id, code]) => (
              <th key={id} scope="col">
                {code}
              </th>
            ))}
            <th scope="col">{OTHER}</th>
            <th scope="col">{CONTACTS}</th>
          </tr>
        </thead>
        <tbody>
          {time.days.map((day) => (
            <tr key={day.on}>
              <th scope="row">{date(day.on)}</th>
              <td className="font-semibold">{minutes(day.minutes)}</td>
              {codes.map(([id]) => (
                <td key={id}>
                  {minutes(day.codes.find(({ serviceCodeId }) => serviceCodeId === id)?.minutes)}
                </td>
              ))}
              <td>{day.otherMinutes > 0 && minutes(day.otherMinutes)}</td>
              <td>{day.contactMinutes > 0 && minutes(day.contactMinutes)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td>{minutes(time.minutes)}</td>
            {codes.map(([id]) => (
              <td key={id}>{minutes(sumOf(id))}</td>
            ))}
            <td>{minutes(time.otherMinutes)}</td>
            <td>{minutes(time.contactMinutes)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
