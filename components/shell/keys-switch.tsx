"use client";

import { useState } from "react";
import { useHydrated } from "@/components/ui/hydrated";
import { shortcutsAreOn, switchShortcuts } from "@/components/ui/shortcuts";

/** Whether the pages have keys of their own, kept in this browser. */
export function KeysSwitch() {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<boolean | null>(null);
  return (
    <label className="flex min-h-control w-fit items-center gap-2.5">
      <input
        type="checkbox"
        className="check"
        disabled={!hydrated}
        checked={chosen ?? (!hydrated || shortcutsAreOn())}
        onChange={(event) => {
          switchShortcuts(event.target.checked);
          setChosen(event.target.checked);
        }}
      />
      Use keys in this browser
    </label>
  );
}
