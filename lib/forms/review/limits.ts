/** The most forms that one call reconciles. */
export const RECONCILE_MAX = 500;
/** The most characters of a comment. */
export const COMMENT_MAX = 2_000;
