"use client";

import { useId } from "react";
import { LabelText } from "./field";

/**
 * A field for the comment or reason in a dialog. A blank one is sent too, and the server's response explains the error.
 */
export function CommentBox({
  label,
  rows,
  maxLength,
  value,
  onChange,
}: {
  label: string;
  rows: number;
  maxLength: number;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium text-sm">
        <LabelText label={label} required />
      </label>
      <textarea
        id={id}
        className="control"
        {...{ rows, maxLength, value }}
        aria-required
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
