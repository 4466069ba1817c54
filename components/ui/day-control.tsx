"use client";

import { type ChangeEvent, type ComponentProps, useContext, useId, useRef, useState } from "react";
import { date, EARLIEST_DAY, masks, parseDate } from "@/lib/core/text/format";
import { applyMask } from "./apply-mask";
import { ClosedThrough } from "./closed-days";
import { IconButton } from "./controls";
import { CalendarIcon } from "./icons";
import { loadable, useLoadable } from "./loadable";

/** Without its calendar the date can still be typed. A failed download must not replace the page with an error. */
const calendar = loadable(
  async () => (await import("./calendar").catch(() => ({ default: NoCalendar }))).default,
);
const NoCalendar = () => <p role="alert">The calendar could not be loaded. Please type the date.</p>;

export type DayBounds = { min?: string; max?: string };

const readDay = (text: string) => parseDate(text) ?? text;

/**
 * The input of a date, typed as MM/DD/YYYY or picked. Value: YYYY-MM-DD; "" when blank; otherwise the text as typed, which
 * the caller refuses.
 */
export function DayControl({
  label,
  value,
  onChange,
  onBlur,
  min = EARLIEST_DAY,
  max = "2099-12-31",
  marksClosed = false,
  disabled,
  readOnly,
  ...input
}: DayBounds &
  Omit<ComponentProps<"input">, "value" | "onChange" | "onBlur" | "type" | "min" | "max"> & {
    label: string;
    value: string;
    onChange: (value: string) => void;
    onBlur?: () => void;
    /** True if the calendar marks the days of closed months. */
    marksClosed?: boolean;
  }) {
  const [picking, setPicking] = useState(false);
  const Calendar = useLoadable(calendar, picking);
  const closedThrough = useContext(ClosedThrough);
  const popover = useRef<HTMLDivElement>(null);
  const popoverId = useId();
  const day = parseDate(value);
  const valueText = day ? date(day) : value;
  const [typed, setTyped] = useState(valueText);

  function change(text: string) {
    setTyped(text);
    onChange(readDay(text));
  }

  return (
    <div className="relative max-w-44 [anchor-name:--day] [anchor-scope:--day]">
      <input
        {...input}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder="MM/DD/YYYY"
        // Next to other controls, a date is only as wide as its text.
        size={12}
        className="control pr-control"
        disabled={disabled}
        readOnly={readOnly}
        value={readDay(typed) === value ? typed : valueText}
        onBlur={() => {
          const masked = masks.date(valueText);
          // Restores a slash that was deleted in the middle.
          if (!day && parseDate(masked)) change(masked);
          else setTyped(valueText);
          onBlur?.();
        }}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          applyMask(event.target, "date", event.nativeEvent);
          change(event.target.value);
        }}
      />
      <IconButton
        label={`Choose ${label}`}
        icon={<CalendarIcon />}
        className="absolute inset-y-0 right-0"
        disabled={disabled || readOnly}
        aria-haspopup="dialog"
        popoverTarget={popoverId}
      />
      <div
        ref={popover}
        id={popoverId}
        popover="auto"
        // Closed, it must not count as an open dialog (`isDialogOpen`).
        {...(picking && { role: "dialog", "aria-label": label })}
        // Begins where the field does. At the bottom of a phone, which has no space next to the field.
        className="popover sm:supports-[anchor-scope:--day]:[position-anchor:--day] sm:supports-[anchor-scope:--day]:[position-area:block-end_span-inline-end] max-h-[calc(100dvh-1rem)] max-sm:inset-[auto_0.5rem_0.5rem] max-sm:w-auto max-sm:max-w-none max-sm:[position-area:none] max-sm:[position-try-fallbacks:none] sm:w-80"
        onToggle={({ newState }) => setPicking(newState === "open")}
      >
        {picking && Calendar && (
          <Calendar
            value={day}
            min={min}
            max={max}
            closedThrough={marksClosed ? closedThrough : null}
            onPick={(picked) => {
              popover.current?.hidePopover();
              change(date(picked));
            }}
          />
        )}
      </div>
    </div>
  );
}
