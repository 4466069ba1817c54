"use client";

import { useState } from "react";
import { Button } from "@/components/ui/controls";
import { MONTHS, whole } from "@/lib/core/text/format";
import type { Month } from "@/lib/reports/overview";
import { Legend, MonthBars, monthInYear, YEAR } from "./month-bars";

const MEASURES = [
  { key: "served", title: "Individuals served" },
  { key: "fresh", title: "New individuals" },
  { key: "minutes", title: "Service minutes" },
  { key: "forms", title: "Forms" },
] as const;
type Measure = (typeof MEASURES)[number];

/**
 * The last twelve months as bars in front of those of the year before, for one measure at a time. The same numbers are in a
 * table. The picture rounds numbers over 999.
 */
export function MonthChart({ months, yearStart }: { months: readonly Month[]; yearStart: number }) {
  const [measure, setMeasure] = useState<Measure>(MEASURES[0]);
  const { key, title } = measure;
  const former = months.slice(0, YEAR);
  const latest = months.slice(YEAR);
  const most = Math.max(1, ...months.map((month) => month[key]));
  const bars = latest.map(({ month, [key]: value }, at) => ({
    month,
    value,
    before: former[at]?.[key] ?? 0,
  }));
  return (
    <figure className="card p-4 sm:p-5">
      <figcaption className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 className="font-semibold text-lg">{title}</h2>
        <span className="flex flex-wrap gap-2 max-sm:*:grow">
          {MEASURES.map((other) => (
            <Button
              key={other.key}
              size="sm"
              aria-pressed={other === measure}
              onClick={() => setMeasure(other)}
            >
              {other.title}
            </Button>
          ))}
        </span>
      </figcaption>
      <MonthBars bars={bars} most={most} />
      <Legend months={months.map(({ month }) => month)} />
      {key === "fresh" && (
        <p className="text-muted text-sm">
          {`Each person counts as new once per reporting year, which starts in ${MONTHS[yearStart - 1]}.`}
        </p>
      )}
      <details className="mt-2">
        <summary className="min-h-control content-center">As a table</summary>
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
              <tr key={month}>
                <th scope="row">{monthInYear(month)}</th>
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
