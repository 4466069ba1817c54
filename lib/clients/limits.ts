// Not in the schema's module, so that screens need not load it.

export const HOLD_REASON_MAX = 2_000;
