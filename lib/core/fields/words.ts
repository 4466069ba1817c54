// Words that several modules use, declared once. Imports nothing, so that it cannot create an import cycle.

/** The problem of a field without a value, after its label. */
export const REQUIRED = "is required";

/** How a date is typed. */
export const DATE_ORDER = "Month first, like 04/03/2026";
/** The problem of a text that is no date, after its label. */
export const NOT_A_DATE = `must be a date. ${DATE_ORDER}`;

/** The choice of a user filter that selects all users, letter for letter as the specification has it. */
export const ALL_USERS = "-- All Users--";

/** The heading of the owning advocate on screens, in lists and in files. */
export const ADVOCATE_NAME = "Advocate Name";
