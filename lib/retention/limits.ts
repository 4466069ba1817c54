// Not in the schema's module, so that screens need not load it.

/** The most clients that one call purges. */
export const PURGE_MAX = 100;
/**
 * The number of days a client is listed as due before a nightly run purges it. In that time a user can see and hold it.
 */
export const LISTED_DAYS = 7;
