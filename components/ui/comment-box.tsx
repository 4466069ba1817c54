"use client";

import { useId } from "react";
import { LabelText } from "./field";

/**
 * A field for a comment or a reason. A blank or too long one is sent too, and the server's response explains the error.
 */
export function CommentBox({
  label,
  rows,
  value,
  required = true,
  onChange,
}: {
  label: string;
  rows: number;
  value: string;
  required?: boolean;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        <LabelText label={label} required={required} />
      </label>
      <textarea
        id={id}
        className="control"
        {...{ rows, value }}
        aria-required={required}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
