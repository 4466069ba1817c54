"use client";

import { get, useFormState } from "react-hook-form";
import { fieldId } from "@/components/ui/field";
import { AlertIcon } from "@/components/ui/icons";
import { focusField } from "@/components/ui/open-section";

export type Problem = { name: string; message: string };

/** Returns the problems in the order of their fields on the page; those without a field come last. */
export function inPageOrder(problems: Record<string, string>): Problem[] {
  const at = (name: string) => document.getElementById(fieldId(name));
  return Object.entries(problems)
    .map(([name, message]) => {
      // In a table, the message alone does not identify the row; the control's label does.
      const row = at(name)?.getAttribute("aria-label");
      return { name, message: row ? `${row}: ${message}` : message };
    })
    .sort((a, b) => {
      const first = at(a.name);
      const second = at(b.name);
      if (!first || !second) return Number(!first) - Number(!second);
      return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    });
}

/** The problems that blocked the save, each with a link to its field. A line disappears when its field is corrected. */
export function ErrorSummary({ problems }: { problems: readonly Problem[] }) {
  const { errors } = useFormState();
  const open = problems.filter(({ name }) => get(errors, name) !== undefined);
  if (open.length === 0) return null;
  return (
    <div
      role="alert"
      aria-atomic="false"
      className="rounded-lg border border-danger bg-danger-soft px-4 py-3 text-danger"
    >
      <h2 className="flex items-center gap-2 font-semibold">
        <AlertIcon />
        Not saved: {open.length === 1 ? "one field needs" : `${open.length} fields need`} your attention
      </h2>
      <ul className="link-list mt-1 list-disc pl-7">
        {open.map(({ name, message }) => (
          <li key={name} className="min-h-6">
            <a
              href={`#${fieldId(name)}`}
              className="link text-danger"
              onClick={(event) => {
                event.preventDefault();
                focusField(document.getElementById(fieldId(name)));
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
