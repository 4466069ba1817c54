/** A report's numbers; null for a number that is withheld. */
export type Counted = { sections: readonly { lines: readonly { count: number | null }[] }[] };

/** True if every number of the report is 0. */
export const countsNothing = ({ sections }: Counted): boolean =>
  sections.every(({ lines }) => lines.every(({ count }) => count === 0));
