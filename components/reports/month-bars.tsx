import { monthName, whole } from "@/lib/core/text/format";

/** The months of a chart; those of the year before are behind them. */
export const YEAR = 12;

const rounded = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 2 });

/** `November 2026` */
export const monthInYear = (month: string): string => `${monthName(month)} ${month.slice(0, 4)}`;

/** A month's number, and that of the same month a year before. */
export type Bar = { month: string; value: number; before: number };

/**
 * Months as bars in front of those of the year before. `most` has the full height. Numbers over 999 are rounded. A small
 * chart is a third as wide as a page. On a phone with text twice as large it has no space; the table has its numbers.
 */
export function MonthBars({
  bars,
  most,
  small = false,
}: {
  bars: readonly Bar[];
  most: number;
  small?: boolean;
}) {
  const share = (value: number) => `${(value / most) * 100}%`;
  return (
    <div aria-hidden="true" className="flex print:[print-color-adjust:exact] max-[20rem]:hidden">
      {bars.map(({ month, value, before }) => (
        <div
          key={month}
          className={`flex-1 text-center text-[0.6875rem] ${small ? "" : "sm:text-sm"}`}
          title={`${monthInYear(month)}: ${whole(value)}, a year before: ${whole(before)}`}
        >
          <div
            className={`relative mx-0.5 mt-5 border-control-line border-b ${small ? "h-16" : "h-36 sm:mx-2"}`}
          >
            <div
              className="absolute inset-x-0 bottom-0 rounded-t-sm border border-control-line border-b-0 bg-subtle"
              style={{ height: share(before) }}
            />
            <div
              className={`absolute inset-x-1 bottom-0 chart-bar rounded-t-sm ${small ? "" : "sm:inset-x-2"}`}
              style={{ height: share(value) }}
            />
            <span className="absolute inset-x-0" style={{ bottom: share(Math.max(value, before)) }}>
              {value > 999 ? rounded.format(value) : value > 0 && value}
            </span>
          </div>
          <span className="text-muted">{monthName(month).slice(0, 3)}</span>
        </div>
      ))}
    </div>
  );
}

/** The looks of the two years of `months`. */
export function Legend({ months }: { months: readonly string[] }) {
  return (
    <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm print:[print-color-adjust:exact]">
      <Years look="chart-bar" months={months.slice(YEAR)} />
      <Years look="border border-control-line bg-subtle" months={months.slice(0, YEAR)} />
    </p>
  );
}

function Years({ look, months }: { look: string; months: readonly string[] }) {
  const first = months.at(0);
  const last = months.at(-1);
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className={`size-3 rounded-sm ${look}`} />
      {first && last && `${monthInYear(first)} – ${monthInYear(last)}`}
    </span>
  );
}
