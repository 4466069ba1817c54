"use client";

import { useEffect } from "react";
import { hideScreen } from "@/components/accounts/session-store";
import { IconButton } from "@/components/ui/controls";
import { HideIcon } from "@/components/ui/icons";

/** How close together the two presses must be; one Escape alone closes a dialog or a list, as ever. */
const TWICE_MS = 600;

/**
 * Blanks the page at once and asks for the password to return: by this button, or by pressing Escape twice,
 * which a hand finds without looking.
 */
export function HideScreenButton() {
  useEffect(() => {
    let last = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.repeat) return;
      if (event.timeStamp - last < TWICE_MS) hideScreen();
      last = event.timeStamp;
    };
    // While capturing: an open dialog keeps Escape for itself.
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, []);
  return <IconButton label="Hide screen (press Esc twice)" icon={<HideIcon />} onClick={hideScreen} />;
}
