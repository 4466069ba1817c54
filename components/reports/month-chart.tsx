"use client";

import { useState } from "react";
import { Button } from "@/components/ui/controls";
import { whole } from "@/lib/core/fields/format";
import type { Month } from "@/lib/reports/overview";
import { MONTHS, monthName } from "./links";

const MEASURES = [
  { key: "served", title: "Individuals served" },
  { key: "fresh", title: "New individuals" },
  { key: "minutes", title: "Service minutes" },
  { key: "forms", title: "Forms" },
] as const;
type Measure = (typeof MEASURES)[number];

const YEAR = 12;
const rounded = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 2 });
const named = ({ month }: Month) => `${monthName(month)} ${month.slice(0, 4)}`;

/**
 * The last twelve months as bars in front of those of the year before, for one measure at a time. The same numbers are in a
 * table. The picture rounds numbers over 999.
 */
export function MonthChart({ months, yearStart }: { months: readonly Month[]; yearStart: number }) {
  const [measure, setMeasure] = useState<Measure>(MEASURES[0]);
  const { key, title } = measure;
  const [former, latest] = [months.slice(0, YEAR), months.slice(YEAR)];
  const most = Math.max(1, ...months.map((month) => month[key]));
  const share = (value: number) => `${(value / most) * 100}%`;
  const bars = latest.map((month, at) => ({ month, value: month[key], before: former[at]?.[key] ?? 0 }));
  return (
    <figure className="card p-4 sm:p-5">
      <figcaption className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 className="font-semibold text-lg">{title}</h2>
        <span className="flex flex-wrap gap-2">
          {MEASURES.map((other) => (
            <Button
              key={other.key}
              size="sm"
              variant={other === measure ? "primary" : "secondary"}
              aria-pressed={other === measure}
              onClick={() => setMeasure(other)}
            >
              {other.title}
            </Button>
          ))}
        </span>
      </figcaption>
      <div aria-hidden="true" className="flex">
        {bars.map(({ month, value, before }) => (
          <div
            key={month.month}
            className="flex-1 text-center text-[0.6875rem] sm:text-sm"
            title={`${named(month)}: ${whole(value)}, a year before: ${whole(before)}`}
          >
            <div className="relative mx-0.5 mt-5 h-36 border-control-line border-b sm:mx-2">
              <div
                className="absolute inset-x-0 bottom-0 rounded-t-sm border border-control-line border-b-0 bg-subtle"
                style={{ height: share(before) }}
              />
              <div
                className="absolute inset-x-1 bottom-0 rounded-t-sm bg-accent sm:inset-x-2"
                style={{ height: share(value) }}
              />
              <span className="absolute inset-x-0" style={{ bottom: share(Math.max(value, before)) }}>
                {value > 999 ? rounded.format(value) : value > 0 && value}
              </span>
            </div>
            <span className="text-muted">{monthName(month.month).slice(0, 3)}</span>
          </div>
        ))}
      </div>
      <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
        <Legend look="bg-accent" months={latest} />
        <Legend look="border border-control-line bg-subtle" months={former} />
      </p>
      {key === "fresh" && (
        <p className="text-muted text-sm">
          {`Each person counts as new once per reporting year, which starts in ${MONTHS[yearStart - 1]}.`}
        </p>
      )}
      <details className="mt-2">
        <summary className="min-h-6">As a table</summary>
        <table className="data-table report-table mt-2" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col">Number</th>
              <th scope="col">A year before</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ month, value, before }) => (
              <tr key={month.month}>
                <th scope="row">{named(month)}</th>
                <td className="number">{whole(value)}</td>
                <td className="number">{whole(before)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function Legend({ look, months }: { look: string; months: readonly Month[] }) {
  const [first, last] = [months.at(0), months.at(-1)];
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className={`size-3 rounded-sm ${look}`} />
      {first && last && `${named(first)} – ${named(last)}`}
    </span>
  );
}
