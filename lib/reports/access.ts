import { can, type SessionUser } from "@/lib/core/access/permissions";
import type { ReportQuery } from "@/lib/reports/schema";

// Readers without All Forms get copies for sharing, and their own records. Other numbers could be subtracted from each other,
// which would reveal 1 to 4 of a colleague's clients.

type Reader = Pick<SessionUser, "permissions" | "userId">;

/** True if the reader gets the numbers of all records, not only of their own. */
export const seesAllNumbers = (reader: Pick<Reader, "permissions">): boolean => can(reader, "all-forms");

/** True if the reader gets the exact numbers of the query: with All Forms, or of their own records. */
export const seesNumbers = (reader: Reader, { userId }: Pick<ReportQuery, "userId">): boolean =>
  seesAllNumbers(reader) || userId === reader.userId;

/** The error for the filter of readers who do not. */
export const OWN_NUMBERS_ONLY =
  "Without All Forms, you can see the numbers of your own records, and copies for sharing.";
/** Returns the error for a copy for sharing of other days, of a report that is due by fiscal year or by quarter. */
export const copyPeriodsOnly = ({ isYearly }: { isYearly: boolean }): string =>
  `A copy for sharing is of a whole ${isYearly ? "fiscal year" : "quarter"} that has ended, without filters: differences between copies identify people`;
/** The error for calls about all records. */
export const ALL_FORMS_ONLY = "Only holders of All Forms can see the numbers of all records.";
