"use client";

import { useController } from "react-hook-form";
import { type DayBounds, DayControl } from "./day-control";
import { Field, type FieldProps, useField } from "./field";

/** A date, typed as MM/DD/YYYY or picked. Value: YYYY-MM-DD; null when blank; otherwise the text as typed. */
export function DateField({
  min,
  max,
  marksClosed,
  onValueChange,
  name,
  disabled,
  readOnly,
  ...field
}: FieldProps<string | null> & DayBounds & { marksClosed?: boolean }) {
  const state = useField({ name, ...field });
  const { field: controlled } = useController({ name });
  return (
    <Field {...field} state={state}>
      <DayControl
        {...state.control}
        {...{ name, min, max, marksClosed, disabled, readOnly }}
        ref={controlled.ref}
        label={field.label}
        value={controlled.value || ""}
        onBlur={controlled.onBlur}
        onChange={(text) => {
          controlled.onChange(text || null);
          onValueChange?.(text || null);
        }}
      />
    </Field>
  );
}
