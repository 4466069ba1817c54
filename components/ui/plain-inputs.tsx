"use client";

import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { DATE_ORDER } from "@/lib/core/fields/words";
import { parseDate } from "@/lib/core/text/format";
import { type DayBounds, DayControl } from "./day-control";

/** A label above the control in `children`, for controls outside react-hook-form. */
export function Labeled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in `children`
    <label className="flex min-w-0 max-w-full flex-col gap-1">
      <span className="font-medium text-sm">{label}</span>
      {children}
    </label>
  );
}

/** A date under its label, outside react-hook-form. A text that is no date turns red when the user leaves it. */
export function LabeledDay({
  label,
  value,
  onChange,
  ...day
}: DayBounds &
  Pick<ComponentProps<"input">, "ref" | "name" | "required"> & {
    label: string;
    value: string;
    onChange: (value: string) => void;
    marksClosed?: boolean;
  }) {
  const id = useId();
  const [left, setLeft] = useState(false);
  const isRefused = left && value !== "" && parseDate(value) === null;
  return (
    <div className="min-w-0 max-w-full sm:max-w-38">
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        {label}
      </label>
      <DayControl
        {...day}
        id={id}
        label={label}
        value={value}
        onChange={onChange}
        onFocus={() => setLeft(false)}
        onBlur={() => setLeft(true)}
        aria-invalid={isRefused || undefined}
        aria-describedby={isRefused ? `${id}-error` : undefined}
      />
      <div aria-live="polite">
        {isRefused && (
          <p id={`${id}-error`} className="mt-1 w-0 min-w-full text-danger text-sm">
            {DATE_ORDER}
          </p>
        )}
      </div>
    </div>
  );
}

/**
 * A date of a plain GET form, sent as `YYYY-MM-DD`. Its key shows a new value if the URL changes without a page load. The
 * browser does not send the form while the text is no date.
 */
export function DayInput(props: {
  name: string;
  label: string;
  value?: string | undefined;
  required?: boolean;
}) {
  return <UrlDay {...props} key={props.value} />;
}

function UrlDay({
  name,
  label,
  value: initial = "",
  required = false,
}: {
  name: string;
  label: string;
  value?: string | undefined;
  required?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState(initial);
  useEffect(() => {
    input.current?.setCustomValidity(value !== "" && parseDate(value) === null ? DATE_ORDER : "");
    const form = input.current?.form;
    const send = ({ formData }: FormDataEvent) => formData.set(name, value);
    form?.addEventListener("formdata", send);
    return () => form?.removeEventListener("formdata", send);
  }, [name, value]);
  return <LabeledDay ref={input} {...{ name, label, required, value }} onChange={setValue} />;
}
