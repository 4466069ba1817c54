/** The most forms that one call reconciles. */
export const RECONCILE_MAX = 500;
/** The most forms that one page shows to read. */
export const READ_MAX = 100;
/** The most comments of one author on a form. A return, whose words are a comment too, is never refused. */
export const COMMENTS_MAX = 500;
/** The comments that a screen shows at first, newest ones. */
export const COMMENTS_SHOWN = 20;
