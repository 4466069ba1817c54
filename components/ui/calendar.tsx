"use client";

import {
  addDays,
  addMonths,
  addYears,
  eachDayOfInterval,
  endOfMonth,
  endOfWeek,
  format,
  parseISO,
  setMonth,
  setYear,
  startOfMonth,
  startOfWeek,
} from "date-fns";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { today } from "@/lib/fields/format";
import { IconButton, Select } from "./controls";
import { ChevronIcon } from "./icons";

const iso = (day: Date) => format(day, "yyyy-MM-dd");

const moves: Record<string, (day: Date, shift: boolean) => Date> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => startOfWeek(day),
  End: (day) => endOfWeek(day),
  PageUp: (day, shift) => (shift ? addYears(day, -1) : addMonths(day, -1)),
  PageDown: (day, shift) => (shift ? addYears(day, 1) : addMonths(day, 1)),
};

const monthNames = Array.from({ length: 12 }, (_, value) => ({
  value,
  label: format(new Date(2000, value, 1), "MMMM"),
}));

/**
 * One month as a grid of days, with the keys of the ARIA date grid pattern: arrows, Home/End, PageUp/PageDown, and
 * Shift for years. All days are `YYYY-MM-DD`; days outside `min`…`max` cannot be picked.
 */
export function Calendar({
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
  const [active, setActive] = useState(() => parseISO(value ?? today()));
  const grid = useRef<HTMLTableElement>(null);
  const moved = useRef(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect follows the active day
  useEffect(() => {
    if (moved.current) grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    moved.current = false;
  }, [active]);

  function onKeyDown(event: KeyboardEvent) {
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    moved.current = true;
    setActive(move(active, event.shiftKey));
  }

  const days = eachDayOfInterval({
    start: startOfWeek(startOfMonth(active)),
    end: endOfWeek(endOfMonth(active)),
  });
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
  const firstYear = Math.min(Number(min.slice(0, 4)), active.getFullYear());
  const lastYear = Math.max(Number(max.slice(0, 4)), active.getFullYear());
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => {
    const year = lastYear - index;
    return { value: year, label: String(year) };
  });

  return (
    <div className="stack">
      <div className="flex items-center gap-2">
        <IconButton
          label="Previous month"
          icon={<ChevronIcon direction="left" />}
          onClick={() => setActive(addMonths(active, -1))}
        />
        <Select
          label="Month"
          hideLabel
          className="flex-1"
          options={monthNames}
          value={active.getMonth()}
          onChange={(month) => setActive(setMonth(active, Number(month)))}
        />
        <Select
          label="Year"
          hideLabel
          options={years}
          value={active.getFullYear()}
          onChange={(year) => setActive(setYear(active, Number(year)))}
        />
        <IconButton
          label="Next month"
          icon={<ChevronIcon direction="right" />}
          onClick={() => setActive(addMonths(active, 1))}
        />
      </div>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the date grid pattern is a table
        role="grid"
        aria-label={format(active, "MMMM yyyy")}
        className="w-full text-center"
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day.getDay()} abbr={format(day, "EEEE")} className="font-normal text-muted text-sm">
                {format(day, "EEEEEE")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.map(iso).join()}>
              {week.map((day) => {
                const date = iso(day);
                const otherMonth = day.getMonth() !== active.getMonth();
                return (
                  <td key={date} className="p-0.5">
                    <button
                      type="button"
                      tabIndex={date === iso(active) ? 0 : -1}
                      aria-label={format(day, "EEEE, MMMM d, yyyy")}
                      aria-pressed={date === value}
                      aria-current={date === today() ? "date" : undefined}
                      disabled={date < min || date > max}
                      className={`h-control w-full rounded-md border disabled:line-through disabled:opacity-50 ${
                        date === value
                          ? "border-accent bg-accent text-on-accent"
                          : `hover:bg-subtle ${date === today() ? "border-control-line" : "border-transparent"} ${otherMonth ? "text-muted" : ""}`
                      }`}
                      onClick={() => onPick(date)}
                    >
                      {day.getDate()}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
