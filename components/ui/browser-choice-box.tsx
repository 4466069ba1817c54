"use client";

import { useState } from "react";
import { type BrowserChoice, isChosen, keepInBrowser } from "@/components/ui/browser-choices";
import { useHydrated } from "@/components/ui/hydrated";

/** A checkbox whose state is stored in this browser. */
export function BrowserChoiceBox({ choice }: { choice: BrowserChoice }) {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<boolean | null>(null);
  return (
    <label className="flex min-h-control w-fit items-center gap-2.5">
      <input
        type="checkbox"
        className="check"
        disabled={!hydrated}
        checked={chosen ?? (hydrated ? isChosen(choice) : choice.initially)}
        onChange={({ target: { checked } }) => {
          keepInBrowser(choice.cookie, checked === choice.initially ? "" : choice.value);
          setChosen(checked);
        }}
      />
      {choice.label}
    </label>
  );
}
