// Settings of a browser rather than an account are stored in cookies, which the server can read before it renders. They
// must not contain anything that identifies a person.

const YEAR_SECONDS = 31_536_000;

/** Stores a value in this browser for a year; "" removes it. */
export function keepInBrowser(name: string, value: string): void {
  const age = value === "" ? 0 : YEAR_SECONDS;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${name}=${value}; path=/; max-age=${age}; samesite=lax`;
}

/** A yes/no setting: `label` is its question, and the cookie has `value` while the choice differs from the default. */
export type BrowserChoice = { cookie: string; value: string; initially: boolean; label: string };

/** Returns the choice stored in this browser, or the default. The server passes the cookies of the request. */
export const isChosen = (
  { cookie, value, initially }: BrowserChoice,
  cookies: string | null = document.cookie,
): boolean => (cookies ?? "").split("; ").includes(`${cookie}=${value}`) !== initially;

/** The setting that turns keyboard shortcuts on or off. */
export const KEYS: BrowserChoice = {
  cookie: "keys",
  value: "off",
  initially: true,
  label: "Use keyboard shortcuts on this browser",
};
