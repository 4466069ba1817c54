/** The sign-in of the embedded default, if no administrator is configured. */
export const DEMO = {
  password: "Lanternbook-Demo-1",
  administrator: "admin@example.org",
  advocate: "advocate@example.org",
} as const;
