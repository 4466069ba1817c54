"use client";

import { useState } from "react";
import { type BrowserChoice, isChosen, keepInBrowser } from "@/components/ui/browser-choices";
import { useHydrated } from "@/components/ui/hydrated";

/** A checkbox whose state is stored in this browser. */
export function BrowserChoiceBox({ choice }: { choice: BrowserChoice }) {
  const hydrated = useHydrated();
  const [override, setOverride] = useState<boolean | null>(null);
  return (
    <label className="print-hidden flex min-h-control w-fit items-center gap-2.5">
      <input
        type="checkbox"
        className="check"
        disabled={!hydrated}
        checked={override ?? (hydrated ? isChosen(choice) : choice.initially)}
        onChange={({ target: { checked } }) => {
          keepInBrowser(choice.cookie, checked === choice.initially ? "" : choice.value);
          setOverride(checked);
        }}
      />
      {choice.label}
    </label>
  );
}
