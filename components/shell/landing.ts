import { landingOf } from "@/components/shell/menu";
import type { SessionUser } from "@/lib/auth/permissions";

// Where a person begins after sign-in: a choice of this browser's, kept as a cookie like the theme.

const HOME = "begin=home";

export const beginsAtHome = (): boolean => document.cookie.split("; ").includes(HOME);

export function chooseHome(on: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${on ? HOME : "begin="}; path=/; max-age=${on ? 31_536_000 : 0}; samesite=lax`;
}

/** The page after sign-in where the user asked for none. */
export const beginning = (user: Pick<SessionUser, "permissions">): string =>
  beginsAtHome() ? "/home" : landingOf(user).href;
