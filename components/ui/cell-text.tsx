import { Link } from "./link";

/**
 * The text of a list's cell. In a compact row, a long text has two lines in the height of one. What is cut off is in the
 * tooltip, and with the focus in the row below it; with a finger, the row grows instead.
 */
export const CellText = ({ text }: { text: string }) => (
  <span className="cell-text" title={text}>
    {text}
  </span>
);

/** The link that opens a row's record. `label` is its accessible name, if the text alone is not enough. */
export const RowLink = ({ href, text, label }: { href: string; text: string; label?: string }) => (
  <Link href={href} data-main="" aria-label={label}>
    <CellText text={text} />
  </Link>
);
