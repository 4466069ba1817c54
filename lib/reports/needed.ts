/** The hint of a field that funders' reports ask for: who is left blank there is not reported, or on no line. */
export const NEEDED_FOR_REPORTS = "Needed for the PMT and PCCD reports.";
