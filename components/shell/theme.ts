export const THEME_COOKIE = "theme";

/** Returns the theme that the user chose; undefined to follow the system. */
export function themeOf(cookie: string | undefined): "light" | "dark" | undefined {
  return cookie === "light" || cookie === "dark" ? cookie : undefined;
}
