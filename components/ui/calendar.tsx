import { format, parseISO } from "date-fns";
import { type CustomComponents, DayPicker, type Labels } from "react-day-picker";
import { today } from "@/lib/core/fields/format";
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
  day: "p-0.5",
  day_button:
    "h-control w-full rounded-md border border-transparent hover:bg-subtle disabled:line-through disabled:opacity-50 " +
    "in-data-outside:text-muted in-data-today:border-control-line in-data-selected:bg-accent " +
    "in-data-selected:text-on-accent",
};

/** With the number as shown, which speech control needs in the name; the library would use "13th". */
const labels: Partial<Labels> = {
  labelDayButton: (day, { today }) => `${today ? "Today, " : ""}${format(day, "EEEE, MMMM d, yyyy")}`,
};

/**
 * One month as a grid of days, with the keys of the ARIA date grid pattern (arrows, Home/End, PageUp/PageDown). All
 * days are `YYYY-MM-DD`; days outside `min`…`max` are disabled. Loaded when first opened
 * (components/ui/date-field.tsx).
 */
export default function Calendar({
  value,
  min,
  max,
  onPick,
}: {
  value: string | null;
  min: string;
  max: string;
  onPick: (day: string) => void;
}) {
  const [selected, first, last] = [value ? parseISO(value) : undefined, parseISO(min), parseISO(max)];
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
