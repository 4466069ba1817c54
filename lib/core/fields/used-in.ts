// The mark at fields that funders' reports count by. tests/reports/screens.test.ts compares the marked fields with the
// reports' definitions.

export type Reports = "PMT, PCCD, and FVPSA" | "PMT and PCCD" | "PCCD";

/** `Used in PMT and PCCD reports.` */
export const usedInWords = (reports: Reports): string => `Used in ${reports} reports.`;

/** The legend of the mark on a screen, whatever the reports. */
export const USED_IN_REPORTS = "Used in funders’ reports.";

/** The fact of a field that every report counts by. */
export const inAllReports = { usedIn: "PMT, PCCD, and FVPSA" } as const;

/** The fact of a field that both PMT and PCCD use. */
export const inBothReports = { usedIn: "PMT and PCCD" } as const;
