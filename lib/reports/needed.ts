/** The hint beside fields that funders' reports need: a client who is left blank there counts as not reported or on no line. */
export const NEEDED_FOR_REPORTS = "Needed for the PMT and PCCD reports.";
