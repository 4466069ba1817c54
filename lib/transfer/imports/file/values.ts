// Cells that a spreadsheet program spoiled.

const ERROR =
  /^#(?:N\/A|NAME\?|GETTING_DATA|(?:BLOCKED|BUSY|CALC|CONNECT|DIV\/0|EXTERNAL|FIELD|NULL|NUM|PYTHON|REF|SPILL|UNKNOWN|VALUE)!)$/;

/** True for the error of a formula, such as `#N/A`. */
export const isErrorValue = (cell: string): boolean => ERROR.test(cell.trim());

/** True for a number whose last digits a spreadsheet replaced, such as `1.23457E+15`. */
export const isShortenedNumber = (cell: string): boolean => /^-?\d(?:\.\d+)?E\+\d{2,}$/i.test(cell.trim());
