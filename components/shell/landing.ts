import { landingOf } from "@/components/shell/menu";
import { type BrowserChoice, isChosen } from "@/components/ui/browser-choices";
import type { SessionUser } from "@/lib/core/access/permissions";
import { to } from "@/lib/core/pages";

/** The setting that makes Home the first page after sign-in in this browser. */
export const BEGIN_AT_HOME: BrowserChoice = {
  cookie: "begin",
  value: "home",
  initially: false,
  label: "Open Home after I sign in on this browser",
};

/** Returns the page after sign-in if the user requested none. */
export const beginning = (user: Pick<SessionUser, "permissions">): string =>
  isChosen(BEGIN_AT_HOME) ? to("home") : landingOf(user).href;
