/** The number of rows at the beginning of a file among which its headings are searched. */
export const HEADINGS_WITHIN = 20;

/** A row without known headings needs as many filled cells to be taken for headings below a title. */
const WIDE_MIN = 3;

const filled = (cells: readonly string[]): number => cells.filter((cell) => cell.trim() !== "").length;
const isTitle = (cells: readonly string[]): boolean => filled(cells) === 1;

/**
 * Returns the place of the headings among the first rows of a file, each with its number of known headings. The rows above
 * it, such as a title, are not imported. So it is 0 unless a later row has more known headings and the rows above have fewer
 * cells, or only single cells are above.
 */
export function placeOfHeadings(rows: readonly (readonly string[])[], known: readonly number[]): number {
  const most = Math.max(0, ...known);
  if (most > 0) {
    const place = known.indexOf(most);
    const above = rows.slice(0, place);
    const width = filled(rows[place] ?? []);
    const isBelowTitles = above.every(isTitle) || (most > 1 && above.every((cells) => filled(cells) < width));
    return isBelowTitles ? place : 0;
  }
  const place = rows.findIndex((cells) => !isTitle(cells));
  return place > 0 && filled(rows[place] ?? []) >= WIDE_MIN ? place : 0;
}
