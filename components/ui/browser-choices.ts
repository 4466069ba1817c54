// What is chosen for a browser rather than for an account is kept in cookies, which the server can read before it
// renders. Nothing that identifies a person belongs in one.

const A_YEAR = 31_536_000;

/** Keeps a value in this browser for a year; "" removes it. */
export function keepInBrowser(name: string, value: string): void {
  const age = value === "" ? 0 : A_YEAR;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
  document.cookie = `${name}=${value}; path=/; max-age=${age}; samesite=lax`;
}

/** A yes or no: `label` is its question, and the cookie has `value` while the answer is not the initial one. */
export type BrowserChoice = { cookie: string; value: string; initially: boolean; label: string };

/** The answer that this browser keeps, or the initial one. */
export const isChosen = ({ cookie, value, initially }: BrowserChoice): boolean =>
  document.cookie.split("; ").includes(`${cookie}=${value}`) !== initially;

/** Whether pages have keyboard shortcuts. */
export const KEYS: BrowserChoice = {
  cookie: "keys",
  value: "off",
  initially: true,
  label: "Use keyboard shortcuts in this browser",
};
