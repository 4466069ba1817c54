// Apart from the schemas, so that screens need not load those.

/** The most clients that one call purges. */
export const PURGE_MAX = 100;
export const HOLD_REASON_MAX = 2_000;
