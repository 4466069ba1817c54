import { MONTHS, parseDate } from "@/lib/core/text/format";

// Days as people write them in spreadsheets. A text is read only if one day is possible, or if the importer answered
// what is open for the whole column: the order of day and month, and the century of years with two digits.

const DAY_ORDERS = ["month", "day"] as const;
const CENTURIES = ["past", "1900", "2000"] as const;

/** The answers for one column. `past`: the latest year with these digits whose day has come. */
export type DayRules = {
  order?: (typeof DAY_ORDERS)[number] | undefined;
  century?: (typeof CENTURIES)[number] | undefined;
  /** Numbers count days from 1904, as in old Excel files for Mac. */
  since1904?: boolean | undefined;
};

/** A time that programs add to a day: midnight. A run of blanks is tried once, not from each of them. */
const MIDNIGHT =
  /(?<![T ])[T ]+(?:0{1,2}:00(?::00(?:\.0+)?)?(?: ?AM)?|12:00(?::00(?:\.0+)?)? ?AM)(?:Z|[+-]00:?00)?$/i;

/** Returns the text without midnight, which programs add to a day. */
export const withoutMidnight = (text: string): string => text.replace(MIDNIGHT, "");

/** The most characters of a text that can be a day. */
const DAY_MAX = 40;

const NUMBERS = /^(\d{1,2})([/.-]|\s+)(\d{1,2})\2(\d{4}|'?\d{2})$/;
const YEAR_FIRST = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})$/;
const DIGITS = /^\d{8}$/;
const MONTH_FIRST_WORD = /^([a-z]{3,9})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?[\s,-]+(\d{4}|'?\d{2})$/i;
const DAY_FIRST_WORD = /^(\d{1,2})(?:st|nd|rd|th)?[\s-]+([a-z]{3,9})\.?[\s,-]+(\d{4}|'?\d{2})$/i;
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thur?s?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+/i;
const SERIAL = /^\d{4,5}(?:\.0+)?$/;
/** Numbers up to here may be years. Excel's number for the last day of 2099 is the other limit. */
const LAST_YEAR = 2100;
const LAST_SERIAL = 73_050;
const DAY_MS = 86_400_000;

type Parts =
  | { kind: "fixed"; month: number; day: number; year: string }
  | { kind: "open"; first: number; second: number; year: string; isDotted: boolean }
  | { kind: "serial"; serial: number }
  | { kind: "whole"; days: string[] };

const isoOf = (year: number, month: number, day: number): string | null =>
  parseDate(
    `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`,
  );

const monthOf = (word: string): number | null => {
  const name = word.toLowerCase();
  const at = MONTHS.findIndex(
    (month) => month.toLowerCase().startsWith(name) || (name === "sept" && month === "September"),
  );
  return at < 0 ? null : at + 1;
};

/** Returns the parts of a text that may be a day; null for anything else. */
function partsOf(written: string): Parts | null {
  if (written.length > DAY_MAX) return null;
  const text = withoutMidnight(written.trim()).replace(WEEKDAY, "").trim();
  const numbers = NUMBERS.exec(text);
  if (numbers) {
    const [, first, mark, second, year = ""] = numbers;
    return {
      kind: "open",
      first: Number(first),
      second: Number(second),
      year: year.replace("'", ""),
      isDotted: mark === ".",
    };
  }
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) {
    const [, year = "", , month, day] = yearFirst;
    return { kind: "fixed", month: Number(month), day: Number(day), year };
  }
  if (DIGITS.test(text)) {
    const start = text.slice(0, 4);
    const end = text.slice(4);
    const days = [
      isoOf(Number(end), Number(text.slice(0, 2)), Number(text.slice(2, 4))),
      isoOf(Number(start), Number(end.slice(0, 2)), Number(end.slice(2))),
    ];
    return { kind: "whole", days: days.flatMap((day) => (day && isLikely(day) ? [day] : [])) };
  }
  const [, monthName, dayAfter, yearAfter] = MONTH_FIRST_WORD.exec(text) ?? [];
  const [, dayBefore, monthAfter, yearLast] = DAY_FIRST_WORD.exec(text) ?? [];
  const month = monthOf(monthName ?? monthAfter ?? "?");
  if (month !== null)
    return {
      kind: "fixed",
      month,
      day: Number(dayAfter ?? dayBefore),
      year: (yearAfter ?? yearLast ?? "").replace("'", ""),
    };
  const serial = SERIAL.test(text) ? Number(text) : 0;
  return serial > LAST_YEAR && serial <= LAST_SERIAL ? { kind: "serial", serial } : null;
}

/** True for a day of a year that a record can have, so that `20040412` is not a day of the year 412. */
const isLikely = (day: string): boolean => day >= "1850" && day < "2151";

function fullYears(year: string, century: DayRules["century"]): number[] {
  const number = Number(year);
  if (year.length === 4) return [number];
  if (century === undefined) return [];
  // The first that is possible counts.
  return { past: [2000 + number, 1900 + number], 1900: [1900 + number], 2000: [2000 + number] }[century];
}

function dayWith(year: string, month: number, day: number, rules: DayRules, today: string): string | null {
  for (const full of fullYears(year, rules.century)) {
    const iso = isoOf(full, month, day);
    if (iso && (year.length === 4 || rules.century !== "past" || iso <= today || full < 2000)) return iso;
  }
  return null;
}

/**
 * Returns the day of a cell as `YYYY-MM-DD`; null if it is none, or if more than one is possible under these rules. A
 * day that is impossible in the chosen order is read in the other one.
 */
export function readDay(text: string, rules: DayRules, today: string): string | null {
  const parts = partsOf(text);
  switch (parts?.kind) {
    case "fixed":
      return dayWith(parts.year, parts.month, parts.day, rules, today);
    case "open": {
      const { first, second, year, isDotted } = parts;
      const monthFirst = dayWith(year, first, second, rules, today);
      const dayFirst = dayWith(year, second, first, rules, today);
      if (rules.order === undefined) return isDotted ? null : monthFirst;
      return rules.order === "month" ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst);
    }
    case "serial": {
      // Excel counts a February 29 in 1900, which did not exist.
      const epoch = rules.since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
      return new Date(epoch + parts.serial * DAY_MS).toISOString().slice(0, 10);
    }
    case "whole":
      return parts.days.length === 1 ? (parts.days[0] ?? null) : null;
    default:
      return null;
  }
}

/** The questions about a text that the importer answers for its column. */
export type DayQuestions = {
  /** It may be a day. */
  isDay: boolean;
  /** It cannot be read month first. */
  asksOrder: boolean;
  /** Day and month can be exchanged. */
  isEither: boolean;
  /** Its year has two digits. */
  asksCentury: boolean;
  /** It is a number of days. */
  isSerial: boolean;
};

const NO_DAY: DayQuestions = {
  isDay: false,
  asksOrder: false,
  isEither: false,
  asksCentury: false,
  isSerial: false,
};

/** Returns what a text of a column of days leaves open. */
export function dayQuestions(text: string): DayQuestions {
  const parts = partsOf(text);
  if (!parts) return NO_DAY;
  if (parts.kind === "serial") return { ...NO_DAY, isDay: true, isSerial: true };
  if (parts.kind === "whole") return { ...NO_DAY, isDay: parts.days.length === 1 };
  const asksCentury = parts.year.length === 2;
  // 2000 has a February 29.
  const year = asksCentury ? 2000 : Number(parts.year);
  if (parts.kind === "fixed")
    return { ...NO_DAY, isDay: isoOf(year, parts.month, parts.day) !== null, asksCentury };
  const monthFirst = isoOf(year, parts.first, parts.second);
  const dayFirst = isoOf(year, parts.second, parts.first);
  return {
    isDay: monthFirst !== null || dayFirst !== null,
    // Dots are the usual mark where the day comes first.
    asksOrder: dayFirst !== null && (monthFirst === null || parts.isDotted),
    isEither: monthFirst !== null && dayFirst !== null && monthFirst !== dayFirst,
    asksCentury,
    isSerial: false,
  };
}
