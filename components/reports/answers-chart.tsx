import { Button } from "@/components/ui/controls";
import { Labeled } from "@/components/ui/plain-inputs";
import { QueryForm } from "@/components/ui/query-form";
import { Section } from "@/components/ui/section";
import { to } from "@/lib/core/pages";
import { counted, whole } from "@/lib/core/text/format";
import type { AnswerField, Answers } from "@/lib/reports/answers";
import { type Bar, Legend, MonthBars, monthInYear, YEAR } from "./month-bars";

/** The choice of a field, and a chart of its answers by month. */
export async function AnswersChart({
  fields,
  chosen,
  read,
}: {
  fields: readonly AnswerField[];
  /** The key of the chosen field; "" for none. */
  chosen: string;
  read: () => Promise<Answers | "slow" | null>;
}) {
  const answers = await read();
  const groups = [...new Set(fields.map(({ group }) => group))];
  return (
    <Section title="Answers by month">
      <QueryForm action={to("reportsList")} className="flex flex-wrap items-end gap-3">
        <Labeled label="Field">
          <select name="field" defaultValue={chosen} key={chosen} className="control">
            <option value="">-- Select --</option>
            {groups.map((group) => (
              <optgroup key={group} label={group}>
                {fields
                  .filter((field) => field.group === group)
                  .map(({ key, label }) => (
                    <option key={key} value={key}>
                      {label}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </Labeled>
        <Button type="submit">Show</Button>
      </QueryForm>
      {answers === "slow" && <p>The answers are taking too long to load right now.</p>}
      {answers !== null && answers !== "slow" && <Charts {...answers} />}
    </Section>
  );
}

/** A chart for each answer, in the same scale, and all numbers as a table. */
function Charts({ label, isOfClient, months, answers }: Answers) {
  if (answers.length === 0) return <p>No answers in these months.</p>;
  const most = Math.max(1, ...answers.flatMap(({ counts }) => counts));
  const barsOf = (counts: readonly number[]): Bar[] =>
    months
      .slice(YEAR)
      .map((month, at) => ({ month, value: counts[YEAR + at] ?? 0, before: counts[at] ?? 0 }));
  const latest = (counts: readonly number[]) => counts.slice(YEAR).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <p className="text-muted">
        {isOfClient
          ? `${label} of the people served in each month, as their records are today.`
          : `${label} on the forms of each month.`}
      </p>
      <ul className="grid gap-x-6 gap-y-4 md:grid-cols-2 xl:grid-cols-3">
        {answers.map(({ label: answer, counts }) => (
          <li key={answer}>
            <h3 className="font-medium wrap-anywhere">{answer}</h3>
            {!isOfClient && (
              <p className="text-muted text-sm">{`${counted(latest(counts), "form")} in twelve months`}</p>
            )}
            <MonthBars bars={barsOf(counts)} most={most} small />
          </li>
        ))}
      </ul>
      <Legend months={months} />
      <details>
        <summary className="min-h-control content-center">As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is scrolled sideways with the keyboard */}
        <section aria-label={`${label} by month`} className="mt-2 overflow-x-auto" tabIndex={0}>
          <table className="data-table report-table" aria-label={label}>
            <thead>
              <tr>
                <th scope="col">Month</th>
                {answers.map(({ label: answer }) => (
                  <th key={answer} scope="col">
                    {answer}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {months.map((month, at) => (
                <tr key={month}>
                  <th scope="row">{monthInYear(month)}</th>
                  {answers.map(({ label: answer, counts }) => (
                    <td key={answer} className="number">
                      {whole(counts[at] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  );
}
