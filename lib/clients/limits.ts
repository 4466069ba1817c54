// Apart from the schemas, so that screens need not load those.

export const HOLD_REASON_MAX = 2_000;
