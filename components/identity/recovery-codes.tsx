"use client";

import { useEffect, useRef } from "react";
import { Button } from "@/components/ui/controls";
import { copy } from "@/components/ui/copy";
import { useNotify } from "@/components/ui/notifications";
import { PrintButton } from "@/components/ui/print-button";

/** Shows new recovery codes once. It takes the focus, because it replaces the focused control. */
export function RecoveryCodes({
  codes,
  next,
  onDone,
}: {
  codes: readonly string[];
  next: string;
  onDone: () => void;
}) {
  const notify = useNotify();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  async function copyAll() {
    if (await copy(codes.join("\n"))) notify.success("Copied the recovery codes");
    else notify.error("Your browser did not allow copying. Please print the codes or write them down.");
  }

  return (
    <>
      {/* Prints only the codes. */}
      <style>
        {
          "@media print { body *:not(:has([data-recovery-codes]), [data-recovery-codes], [data-recovery-codes] *) { display: none !important; } }"
        }
      </style>
      <div data-recovery-codes="" className="stack">
        <h3 ref={heading} tabIndex={-1} className="font-semibold outline-none">
          Your recovery codes
        </h3>
        <p>
          If you do not have your phone, use one of these codes instead of a code from the app. Each code
          works once. They are shown only now. Keep them with your important papers, not on your phone.
        </p>
        <ul className="grid max-w-2xl gap-x-8 gap-y-1 font-mono sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code} className="wrap-anywhere">
              {code}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button onClick={copyAll}>Copy</Button>
        <PrintButton />
        <Button variant="primary" onClick={onDone}>
          {next}
        </Button>
      </div>
    </>
  );
}
