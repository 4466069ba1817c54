import type { ReactNode } from "react";

// Inputs of plain GET forms, whose values are in the URL.

export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is in `children`
    <label className="flex flex-col gap-1">
      <span className="font-medium text-sm">{label}</span>
      {children}
    </label>
  );
}

/** A day, `YYYY-MM-DD`. Its key shows another value where the URL changes without a new page. */
export function DayInput({
  name,
  label,
  value = "",
  required = false,
}: {
  name: string;
  label: string;
  value?: string | undefined;
  required?: boolean;
}) {
  return (
    <Labelled label={label}>
      <input
        type="date"
        name={name}
        required={required}
        defaultValue={value}
        key={value}
        className="control"
      />
    </Labelled>
  );
}
