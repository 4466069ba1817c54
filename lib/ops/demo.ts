/** How to sign in to the embedded default, where nobody has named an administrator. */
export const DEMO = {
  password: "Lanternbook-Demo-1",
  administrator: "admin@example.org",
  advocate: "advocate@example.org",
} as const;
