// Texts of cells as people write them: names in several columns or turned, addresses on several lines, ZIP codes that
// lost their zero, and words for "nothing".

/** Returns a text's letters and digits only, in lower case, for words that people punctuate in many ways. */
const plainWord = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Words that say there is no value, in groups of the same meaning. */
const NOTHING = [
  ["none"],
  ["na", "nla", "notapplicable", "notavailable"],
  ["unknown", "unk", "notknown", "dontknow"],
  ["null", "nil"],
] as const;
const groupOf = (text: string): number => {
  const word = plainWord(text);
  return NOTHING.findIndex((group) => group.some((one) => one === word));
};

/** True for a word that says there is no value, such as `none`, `N/A`, `unknown`, or a dash. */
export const saysNothing = (text: string): boolean =>
  text.length <= 20 &&
  !text.includes("#") &&
  (groupOf(text) >= 0 || (/^[\s.?\p{Pd}_]+$/u.test(text) && text.trim() !== ""));

/** True if both texts say in the same way that there is no value, such as `n/a` and `Not applicable`. */
export const saySameNothing = (text: string, other: string): boolean =>
  groupOf(text) >= 0 && groupOf(text) === groupOf(other);

/** The parts of a name that may be in columns of their own, in their order in a name. */
export const NAME_PARTS = ["first", "middle", "last", "suffix"] as const;
export type NamePart = (typeof NAME_PARTS)[number];

/** Joins the parts of a name. Returns "" if first and last name are blank. Leaves out a middle name or suffix such as `n/a`. */
export function joinedName(parts: Readonly<Partial<Record<NamePart, string>>>): string {
  if (!parts.first?.trim() && !parts.last?.trim()) return "";
  return NAME_PARTS.map((part) => ({ part, text: (parts[part] ?? "").trim() }))
    .filter(
      ({ part, text }) =>
        text !== "" && !(isOptional(part) && (saysNothing(text) || plainWord(text) === "nmn")),
    )
    .map(({ text }) => text)
    .join(" ")
    .replace(/\s+/g, " ");
}
const isOptional = (part: NamePart): boolean => part === "middle" || part === "suffix";

const HOUSE_NUMBER = /^\d+[a-z]?$/i;

/** Joins the lines of an address, from one cell or several. A house number in a column of its own gets no comma. */
export function joinedAddress(cells: readonly string[]): string {
  const lines = cells
    .flatMap((cell) => cell.split(/[\r\n]+/))
    .map((line) => line.trim().replace(/,$/, ""))
    .filter((line) => line !== "");
  return lines.reduce(
    (joined, line, at) =>
      at === 0 ? line : `${joined}${HOUSE_NUMBER.test(lines[at - 1] ?? "") && at === 1 ? " " : ", "}${line}`,
    "",
  );
}

/** Returns a US ZIP code with the zeros that spreadsheets removed. Other codes stay as they are. */
export function wholeZip(text: string): string {
  const code = text.trim().replace(/^(\d+)\.0+$/, "$1");
  const [, five, four = ""] = /^(\d{3,5})(?:[\s\p{Pd}]+(\d{4})?)?$/u.exec(code) ?? [];
  if (five) return four ? `${five.padStart(5, "0")}-${four}` : five.padStart(5, "0");
  const [, nine] = /^(\d{7,9})$/.exec(code) ?? [];
  return nine ? nine.padStart(9, "0").replace(/(\d{4})$/, "-$1") : text;
}
