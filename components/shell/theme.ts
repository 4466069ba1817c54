export const THEME_COOKIE = "theme";

/** The theme a person chose; undefined: as the system says. */
export function themeOf(cookie: string | undefined): "light" | "dark" | undefined {
  return cookie === "light" || cookie === "dark" ? cookie : undefined;
}
