"use client";

import { useState } from "react";
import { beginsAtHome, chooseHome } from "@/components/shell/landing";
import { useHydrated } from "@/components/ui/hydrated";

/** Whether signing in with this browser leads here. */
export function BeginHere() {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<boolean | null>(null);
  return (
    <label className="flex min-h-control w-fit items-center gap-2.5">
      <input
        type="checkbox"
        className="check"
        disabled={!hydrated}
        checked={chosen ?? (hydrated && beginsAtHome())}
        onChange={(event) => {
          chooseHome(event.target.checked);
          setChosen(event.target.checked);
        }}
      />
      Begin here after sign-in, in this browser
    </label>
  );
}
