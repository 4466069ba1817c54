import { format, parseISO } from "date-fns";
import { type CustomComponents, DayPicker, type Labels } from "react-day-picker";
import { date, today } from "@/lib/core/text/format";
import { IconButton, SelectOptions } from "./controls";
import { ChevronIcon } from "./icons";

/** Replaces the library's controls with our UI components. */
const components: Partial<CustomComponents> = {
  PreviousMonthButton: ({ onClick, "aria-disabled": disabled }) => (
    <IconButton
      label="Previous month"
      icon={<ChevronIcon direction="left" />}
      disabled={disabled === true}
      onClick={onClick}
    />
  ),
  NextMonthButton: ({ onClick, "aria-disabled": disabled }) => (
    <IconButton
      label="Next month"
      icon={<ChevronIcon direction="right" />}
      disabled={disabled === true}
      onClick={onClick}
    />
  ),
  Dropdown: ({ options = [], value, onChange, "aria-label": label }) => (
    <select className="control w-auto min-w-0 flex-auto" aria-label={label} value={value} onChange={onChange}>
      <SelectOptions options={options} placeholder={null} />
    </select>
  ),
};

const classNames = {
  month: "grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-1",
  // Each dropdown is as wide as its longest word, so that no month is cut off at 360 px.
  dropdowns: "flex gap-1",
  month_grid: "col-span-3 w-full text-center",
  weekday: "font-normal text-muted text-sm",
  day: "p-0.5 max-sm:px-0",
  day_button:
    "h-control w-full rounded-md border border-transparent hover:bg-subtle disabled:line-through disabled:opacity-50 " +
    "in-data-outside:text-muted forced-colors:in-data-outside:border-none in-data-today:border-control-line in-data-selected:bg-accent " +
    "in-data-selected:text-on-accent",
};

/** With the number as shown, which speech control needs in the name; the library would use "13th". */
const labels: Partial<Labels> = {
  labelDayButton: (day, { today, closed }) =>
    `${today ? "Today, " : ""}${format(day, "EEEE, MMMM d, yyyy")}${closed ? ", closed" : ""}`,
};

/** With forced colors, a gray background is not shown. */
const CLOSED = "bg-subtle forced-colors:outline-2 forced-colors:outline-dashed";
const modifiersClassNames = { closed: `${CLOSED} text-muted` };

const Legend = ({ closedThrough }: { closedThrough: string }) => (
  <p className="mt-2 text-muted text-sm">
    <span className={`rounded px-1.5 py-0.5 ${CLOSED}`}>Gray</span>
    {` days through ${date(closedThrough)} are closed.`}
  </p>
);

/**
 * One month as a grid of days, with the keys of the ARIA date grid pattern (arrows, Home/End, PageUp/PageDown). All
 * days are `YYYY-MM-DD`; days outside `min`…`max` are disabled. Loaded when first opened
 * (components/ui/date-field.tsx).
 */
export default function Calendar({
  value,
  min,
  max,
  closedThrough,
  onPick,
}: {
  value: string | null;
  min: string;
  max: string;
  /** The last day to mark as closed; null for none. */
  closedThrough: string | null;
  onPick: (day: string) => void;
}) {
  const selected = value ? parseISO(value) : undefined;
  const first = parseISO(min);
  const last = parseISO(max);
  return (
    <DayPicker
      mode="single"
      required
      selected={selected}
      today={parseISO(today())}
      onSelect={(day) => onPick(format(day, "yyyy-MM-dd"))}
      defaultMonth={selected}
      startMonth={first}
      endMonth={last}
      disabled={{ before: first, after: last }}
      modifiers={{ closed: closedThrough ? { from: first, to: parseISO(closedThrough) } : false }}
      modifiersClassNames={modifiersClassNames}
      footer={closedThrough && <Legend closedThrough={closedThrough} />}
      captionLayout="dropdown"
      navLayout="around"
      reverseYears
      showOutsideDays
      autoFocus
      classNames={classNames}
      components={components}
      labels={labels}
    />
  );
}
