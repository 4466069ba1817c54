/** Apostrophes, and the quotation marks, accents and letters that people type instead. */
export const APOSTROPHES = "'`´΄᾽᾿῾‘’‛′‵ʹʻʼʽʾʿˈˊˋ՚׳Ꞌꞌ";
/** Signs that look like a dash but are none to Unicode: minus, hyphen bullet, modifier minus. */
export const DASHES = "−⁃˗";
/** Letters that Unicode neither decomposes nor folds to what people type instead of them. */
export const LETTERS: Readonly<Record<string, string>> = {
  æ: "ae",
  œ: "oe",
  þ: "th",
  đ: "d",
  ð: "d",
  ɖ: "d",
  ɗ: "d",
  ħ: "h",
  ı: "i",
  ɨ: "i",
  ł: "l",
  ŋ: "n",
  ø: "o",
  ŧ: "t",
  ʉ: "u",
  ɓ: "b",
  ƙ: "k",
  ƴ: "y",
  ς: "σ",
};

const ANY_APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, "g");
const ANY_DASH = new RegExp(`[\\p{Pd}${DASHES}]`, "gu");
const ANY_LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/**
 * Returns the form of a text under which it is found: without case, accents and invisible characters, with plain
 * letters, one kind of apostrophe, dash and blank. The SQL function `fold_text` returns the same. Uniqueness of names
 * is stricter (`folded`).
 */
export const foldText = (text: string): string =>
  text
    // Before NFKD, which makes a blank of the accents among them, and again for the letter ŉ.
    .replace(ANY_APOSTROPHE, "'")
    .normalize("NFKD")
    .toLowerCase()
    // Full case folding, such as ß = SS.
    .toUpperCase()
    .toLowerCase()
    .replace(ANY_LETTER, (letter) => LETTERS[letter] ?? letter)
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(ANY_APOSTROPHE, "'")
    .replace(ANY_DASH, "-")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();

/** Everything but letters, digits, and the punctuation that people omit or exchange. */
const SYMBOL = new RegExp(
  `[^\\p{L}\\p{M}\\p{N}\\p{Pd}\\p{Default_Ignorable_Code_Point}\\s.,${APOSTROPHES}${DASHES}]`,
  "gu",
);

/** Returns the characters of a search that have a meaning, although the folding of names removes them, such as `%`. */
export const symbolsIn = (search: string): string[] => [...new Set(search.match(SYMBOL) ?? [])];
