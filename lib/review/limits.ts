/** How many forms are reconciled in one call. */
export const RECONCILE_MAX = 500;
export const RETURN_COMMENT_MAX = 2_000;
