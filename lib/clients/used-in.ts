// The mark at fields that funders' reports count by. tests/reports/screens.test.ts compares the marked fields with the
// reports' definitions.

export type Reports = "PMT, PCCD, and FVPSA" | "PMT and PCCD" | "PCCD";

/** The fact of a field that every report counts by. */
export const inAllReports = { usedIn: "PMT, PCCD, and FVPSA" } as const satisfies { usedIn: Reports };

/** The fact of a field that both PMT and PCCD use. */
export const inBothReports = { usedIn: "PMT and PCCD" } as const satisfies { usedIn: Reports };
