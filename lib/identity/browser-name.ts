import Bowser from "bowser";

/** Returns a User-Agent header in plain words, for example `Firefox on Windows`; `Unknown device` if it names none. */
export function deviceOf(userAgent: string): string {
  if (!userAgent) return "Unknown device";
  const { browser, os, platform } = Bowser.parse(userAgent);
  // An iPhone and an iPad report the same system.
  const system = os.name === "iOS" ? (platform.model ?? os.name) : os.name;
  return [browser.name, system].filter(Boolean).join(" on ") || "Unknown device";
}
