import { landingOf } from "@/components/shell/menu";
import { type BrowserChoice, isChosen } from "@/components/ui/browser-choices";
import type { SessionUser } from "@/lib/core/access/permissions";
import { to } from "@/lib/core/pages";

/** Whether signing in with this browser leads to Home. */
export const BEGIN_AT_HOME: BrowserChoice = {
  cookie: "begin",
  value: "home",
  initially: false,
  label: "Start here after signing in, in this browser",
};

/** The page after sign-in where the user asked for none. */
export const beginning = (user: Pick<SessionUser, "permissions">): string =>
  isChosen(BEGIN_AT_HOME) ? to("home") : landingOf(user).href;
