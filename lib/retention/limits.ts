// Apart from the schemas, so that screens need not load those.

/** The most clients that one call purges. */
export const PURGE_MAX = 100;
/** How long a client is listed as due before a night purges them, so that somebody can see them there and hold them. */
export const LISTED_DAYS = 7;
