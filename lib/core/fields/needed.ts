// The mark at fields that funders' reports count by. A client without a value there counts as not reported, or on no
// line. tests/reports/screens.test.ts compares the marked fields with the reports' definitions.

export const NEEDED_FOR_REPORTS = "Used in PMT and PCCD reports.";
export const NEEDED_FOR_PCCD = "Used in PCCD reports.";

/** The facts of a field that both reports need. */
export const needed = { hint: NEEDED_FOR_REPORTS };

/** True if funders' reports count by the field. */
export const isNeeded = ({ hint }: { hint?: string }): boolean =>
  hint === NEEDED_FOR_REPORTS || hint === NEEDED_FOR_PCCD;

/** The hint below a field. A field that reports need has a mark instead. */
export const shownHint = (facts: { hint?: string }): string | undefined =>
  isNeeded(facts) ? undefined : facts.hint;
