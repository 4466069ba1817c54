import type { BrowserChoice } from "@/components/ui/browser-choices";

/** The setting that shows the list of what to set up on Home, until it is done. */
export const SET_UP_AT_HOME: BrowserChoice = {
  cookie: "setup",
  value: "away",
  initially: true,
  label: "Show this list on Home, on this browser",
};
