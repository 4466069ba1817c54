import "server-only";

/** Set by lib/ops/start.ts in practice mode, and deleted in any other. */
export const PRACTICE_VARIABLE = "LANTERNBOOK_PRACTICE";

/** True if the program runs in practice mode: every page shows it. */
export const isPractice = (): boolean => process.env[PRACTICE_VARIABLE] === "on";
