/** The most forms that one call reconciles. */
export const RECONCILE_MAX = 500;
export const RETURN_COMMENT_MAX = 2_000;
