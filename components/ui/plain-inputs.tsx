import type { ReactNode } from "react";

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

/** A date input of a plain GET form, `YYYY-MM-DD`. Its key shows a new value if the URL changes without a page load. */
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
    <Labeled label={label}>
      <input
        type="date"
        name={name}
        required={required}
        defaultValue={value}
        key={value}
        className="control"
      />
    </Labeled>
  );
}
