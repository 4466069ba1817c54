"use client";

import { type ChangeEvent, useState } from "react";
import { useController } from "react-hook-form";
import { date, masks, parseDate } from "@/lib/core/fields/format";
import { applyMask } from "./apply-mask";
import { IconButton } from "./controls";
import { Dialog } from "./dialog";
import { Field, type FieldProps, useField } from "./field";
import { CalendarIcon } from "./icons";
import { loadable, useLoadable } from "./loadable";

/** Without its calendar the date can still be typed. A failed download must not replace the page with an error. */
const calendar = loadable(
  async () => (await import("./calendar").catch(() => ({ default: NoCalendar }))).default,
);
const NoCalendar = () => <p role="alert">The calendar could not be loaded. Please type the date.</p>;

/** A date, typed as MM/DD/YYYY or picked. Value: YYYY-MM-DD; null when blank; otherwise the text as typed. */
export function DateField({
  min = "1900-01-01",
  max = "2099-12-31",
  onValueChange,
  name,
  disabled,
  readOnly,
  ...field
}: FieldProps<string | null> & { min?: string; max?: string }) {
  const state = useField({ name, ...field });
  const { field: controlled } = useController({ name });
  const [picking, setPicking] = useState(false);
  const Calendar = useLoadable(calendar, picking);
  const value: string | null = controlled.value || null;
  const day = value && parseDate(value);
  const valueText = day ? date(day) : (value ?? "");
  const [typed, setTyped] = useState(valueText);

  const readDay = (text: string) => parseDate(text) ?? (text || null);

  function change(text: string) {
    const next = readDay(text);
    setTyped(text);
    controlled.onChange(next);
    onValueChange?.(next);
  }

  return (
    <Field {...field} state={state}>
      <div className="relative">
        <input
          {...state.control}
          ref={controlled.ref}
          name={name}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          placeholder="MM/DD/YYYY"
          className="control pr-control"
          disabled={disabled}
          readOnly={readOnly}
          value={readDay(typed) === value ? typed : valueText}
          onBlur={() => {
            const masked = masks.date(valueText);
            // Restores a slash that was deleted in the middle.
            if (!day && parseDate(masked)) change(masked);
            else setTyped(valueText);
            controlled.onBlur();
          }}
          onChange={(event: ChangeEvent<HTMLInputElement>) => {
            const { value, selectionEnd } = event.target;
            // When the user edits in the middle, masking would move digits across the slashes.
            if (selectionEnd === value.length) applyMask(event.target, "date");
            change(event.target.value);
          }}
        />
        <IconButton
          label={`Choose ${field.label}`}
          icon={<CalendarIcon />}
          className="absolute inset-y-0 right-0"
          disabled={disabled || readOnly}
          aria-haspopup="dialog"
          onClick={() => setPicking(true)}
        />
      </div>
      <Dialog open={picking && Calendar !== null} onClose={() => setPicking(false)} title={field.label}>
        {Calendar && (
          <Calendar
            value={day || null}
            min={min}
            max={max}
            onPick={(picked) => {
              setPicking(false);
              change(date(picked));
            }}
          />
        )}
      </Dialog>
    </Field>
  );
}
