import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { counted, whole } from "@/lib/core/fields/format";
import { to } from "@/lib/core/pages";
import { type ReportKey, reports } from "@/lib/reports/definitions";
import type { Months, Reason } from "@/lib/reports/overview";
import type { Period } from "@/lib/reports/periods";
import { BarChart } from "./bar-chart";
import { MONTHS, monthName, periodName } from "./links";

const chartsOf = ({ yearStart }: Months) =>
  [
    { key: "served", title: "Individuals served", note: "" },
    {
      key: "fresh",
      title: "New individuals",
      note: `Each person counts as new once per reporting year, which starts in ${MONTHS[yearStart - 1]}.`,
    },
    { key: "minutes", title: "Service minutes", note: "" },
    { key: "forms", title: "Forms", note: "" },
  ] as const;

type Props = {
  keys: readonly ReportKey[];
  quarter: Period;
  /** Null if reading them took too long. */
  months: Months | null;
  reasons: Reason[] | null;
  waiting: number | null;
};

/** Charts of the organization's last twelve months, with links to its reports. */
export function Overview({ keys, quarter, months, reasons, waiting }: Props) {
  return (
    <div className="stack">
      <Section title="Reports">
        <ul className="link-list flex gap-x-6 gap-y-2 max-sm:flex-col">
          {keys.map((key) => (
            <li key={key}>
              <Link className="link" href={to("reportsShow", { report: key })}>
                {reports[key].title}
              </Link>
            </li>
          ))}
          <li>
            <Link className="link" href={to("reportsTime")}>
              My Time
            </Link>
          </li>
        </ul>
      </Section>
      {months ? (
        <div className="grid gap-4 md:grid-cols-2">
          {chartsOf(months).map(({ key, title, note }) => (
            <BarChart
              key={key}
              title={title}
              note={note}
              points={months.months.map((month) => ({
                label: `${monthName(month.month)} ${month.month.slice(0, 4)}`,
                value: month[key],
              }))}
            />
          ))}
        </div>
      ) : (
        <p>The charts are taking too long to load right now.</p>
      )}
      {waiting !== null && (
        <Section title="To review">
          <p>
            <Link className="link" href={`${to("formsList")}?filters[formStatus]=unreconciled`}>
              {waiting > 10_000 ? "more than 10,000 forms" : counted(waiting, "form")}
            </Link>
          </p>
        </Section>
      )}
      <Section title={`Reasons not served or partially served, ${periodName(quarter)}`}>
        {reasons === null && <p>The reasons are taking too long to load right now.</p>}
        {reasons?.length === 0 && <p>None.</p>}
        {reasons && reasons.length > 0 && (
          <table className="data-table report-table" aria-label="Reasons by primary victims">
            <tbody>
              {reasons.map(({ label, count }) => (
                <tr key={label}>
                  <td>{label}</td>
                  <td className="number">{whole(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
    </div>
  );
}
