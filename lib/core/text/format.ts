import { now, wallTime } from "@/lib/core/text/clock";
import { withoutInvisible } from "@/lib/core/text/invisible";

/** A day or a time: `YYYY-MM-DD`, an ISO 8601 timestamp or a Date. */
type DateLike = string | Date | null | undefined;
/** A number, or a string for an exact decimal as the API sends it. */
type NumberLike = number | string | null | undefined;

/** Returns Yes for `true` and 1, No for everything else. */
export function yesNo(value: unknown): "Yes" | "No" {
  return value === true || value === 1 ? "Yes" : "No";
}

/** True for a `YYYY-MM-DD` that exists. `new Date` turns February 30 into a day of March. */
function isDay(text: string): boolean {
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(text) : null;
  return parsed !== null && !Number.isNaN(parsed.getTime()) && utcDay(parsed) === text;
}

/** Parses a timestamp, or a day as midnight. The UTC parts of the result are the organization's day and time. */
function parsedAs(text: string): Date {
  const day = text.slice(0, 10);
  if (!isDay(day)) return new Date(Number.NaN);
  return day === text ? new Date(day) : wallTime(new Date(text));
}

function formatParsed(value: DateLike, write: (parsed: Date) => string): string {
  if (!value) return "";
  const parsed = typeof value === "string" ? parsedAs(value) : wallTime(value);
  return Number.isNaN(parsed.getTime()) ? "" : write(parsed);
}

const pad = (part: number, length = 2) => String(part).padStart(length, "0");
const monthAndDay = (at: Date) => `${pad(at.getUTCMonth() + 1)}/${pad(at.getUTCDate())}`;
const shortYear = (at: Date) => `${monthAndDay(at)}/${pad(at.getUTCFullYear() % 100)}`;
const shortClock = (at: Date) => `${pad(at.getUTCHours() % 12 || 12)}:${pad(at.getUTCMinutes())}`;

const dayHalf = (at: Date) => (at.getUTCHours() < 12 ? "AM" : "PM");

const months = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** MM/DD/YYYY in the organization's time zone; "" when there is no date. */
export function date(value: DateLike): string {
  return formatParsed(value, (at) => `${monthAndDay(at)}/${pad(at.getUTCFullYear(), 4)}`);
}

/** `March 2026`; "" when there is no date. */
export function monthOf(value: DateLike): string {
  return formatParsed(value, (parsed) => months.format(parsed));
}

const SHORT_DAY = { month: "short", day: "numeric", timeZone: "UTC" } as const;
const shortDays = new Intl.DateTimeFormat("en-US", SHORT_DAY);
const shortDaysOfYear = new Intl.DateTimeFormat("en-US", { ...SHORT_DAY, year: "numeric" });

/** `Nov 20`, in a year other than that of `now` (`YYYY-MM-DD`) `Nov 20, 2025`; "" when there is no date. */
export const shortDay = (day: string, now: string = today()): string =>
  formatParsed(day, (parsed) =>
    (day.slice(0, 4) === now.slice(0, 4) ? shortDays : shortDaysOfYear).format(parsed),
  );

/** MM/DD/YY in the organization's time zone; "" when there is no date. */
export function shortDate(value: DateLike): string {
  return formatParsed(value, shortYear);
}

/**
 * MM/DD/YY hh:mm (12-hour clock) in the organization's time zone; "" when there is no date.
 */
export function shortDateTime(value: DateLike): string {
  return formatParsed(value, (at) => `${shortYear(at)} ${shortClock(at)}`);
}

/** The same with AM or PM. */
export function shortDateTimeOfDay(value: DateLike): string {
  return formatParsed(value, (at) => `${shortYear(at)} ${shortClock(at)} ${dayHalf(at)}`);
}

/** hh:mm:ss AM or PM in the organization's time zone. */
export function timeOfDay(value: DateLike): string {
  return formatParsed(value, (at) => `${shortClock(at)}:${pad(at.getUTCSeconds())} ${dayHalf(at)}`);
}

const DAY_MS = 86_400_000;
/**
 * The lowest age for each unit, and the unit's length. Weeks and longer units begin at two: "a week ago" would be 7 to
 * 13 days.
 */
const STEPS = [
  ["year", 731 * DAY_MS, 365.25 * DAY_MS],
  ["month", 61 * DAY_MS, 30.4375 * DAY_MS],
  ["week", 14 * DAY_MS, 7 * DAY_MS],
  ["day", DAY_MS, DAY_MS],
  ["hour", 3_600_000, 3_600_000],
  ["minute", 60_000, 60_000],
] as const;
const relative = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });

/**
 * Returns the time between a timestamp and `now` (milliseconds) in words: `20 minutes ago`, `yesterday`, `6 years
 * ago`, `just now`.
 */
export function ago(moment: string, now: number): string {
  const past = now - Date.parse(moment);
  const [unit, , length] = STEPS.find(([, from]) => past >= from) ?? [];
  return unit ? relative.format(-Math.floor(past / length), unit) : "just now";
}

/**
 * Returns the time between a day and today (or `now`, `YYYY-MM-DD`) in words: `today` (also for later days),
 * `yesterday`, `3 weeks ago`.
 */
export const daysAgo = (day: string, now: string = today()): string =>
  day < now ? ago(day, Date.parse(now)) : "today";

const words = (name: string) => name.trim().split(/\s+/).filter(Boolean);

/** `Wilma Evans` → `W. E.`; "" for no name. */
export const initials = (name: string): string =>
  words(name)
    .map((word) => `${[...word][0]}.`)
    .join(" ");

/** `Wilma Evans` → `Wilma E.`; a one-word name does not change. */
export function shortName(name: string): string {
  const [first = "", ...others] = words(name);
  return [first, initials(others.at(-1) ?? "")].filter(Boolean).join(" ");
}

/** Returns a user's name for choices and lists. An inactive account is marked. */
export const markedName = (name: string, active = true): string => (active ? name : `${name} (deactivated)`);

function toNumber(value: NumberLike): number | null {
  if (value === null || value === undefined || String(value).trim() === "") return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function formatNumber(value: NumberLike, write: (number: number) => string): string {
  const number = toNumber(value);
  return number === null ? "" : write(number);
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const hundredths = new Intl.NumberFormat("en-US", {
  style: "percent",
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
});

/** 1234.5 → $1,234.50; "" when there is no number. */
export function currency(value: NumberLike): string {
  return formatNumber(value, dollars.format);
}

/** A fraction as a percentage with 2 decimals, 0.1234 → 12.34%; "" when there is no number. */
export function percent(value: NumberLike): string {
  return formatNumber(value, hundredths.format);
}

/** An integer percentage, 12 → 12%; "" when there is no number. */
export function integerPercent(value: NumberLike): string {
  return formatNumber(value, (number) => `${Math.round(number)}%`);
}

/** Minutes as HH:MM, 75 → 01:15; hours may exceed 24. "" when there is no number. */
export function minutes(value: NumberLike): string {
  return formatNumber(value, (number) => {
    const total = Math.round(Math.abs(number));
    return `${number < 0 && total > 0 ? "-" : ""}${pad(Math.floor(total / 60))}:${pad(total % 60)}`;
  });
}

const NO_BREAK_SPACE = "\u00a0";

/** Minutes in words that stay on one line, 170 → `2 h 50 min`, 60 → `1 h`; "" for none. */
export const duration = (minutes: number): string =>
  [minutes >= 60 && `${Math.floor(minutes / 60)} h`, minutes % 60 > 0 && `${minutes % 60} min`]
    .filter(Boolean)
    .join(" ")
    .replaceAll(" ", NO_BREAK_SPACE);

/** 1234 → 1,234 */
export const whole = (value: number | bigint): string => value.toLocaleString("en-US");

/** `1,234 forms`, `1 form` */
export const counted = (count: number, noun: string): string =>
  `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;

/** `1,234 people`, `1 person` */
export const peopleWords = (people: number): string =>
  people === 1 ? "1 person" : `${whole(people)} people`;

/** First letter in upper case, the rest unchanged. */
export function capitalize(text: string | null | undefined): string {
  return text ? text.charAt(0).toUpperCase() + text.slice(1) : "";
}

/** `activity` → `an activity` */
export const withArticle = (words: string): string => `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;

/** All letters in lower case. */
export function lowercase(text: string | null | undefined): string {
  return text?.toLowerCase() ?? "";
}

/** Words of `snake_case`, `kebab-case`, `camelCase` or a sentence, each capitalized: Age Brackets. */
export function titleize(text: string | null | undefined): string {
  return (text ?? "")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .filter(Boolean)
    .map(capitalize)
    .join(" ");
}

/** True if up to eight digits are a day as MMDDYYYY, or its beginning. */
const canBecomeDay = (digits: string): boolean =>
  digits.length === 8
    ? parseDate(digits) !== null
    : /^(?:[0-9]|0[1-9][0-3]?|1[0-2][0-3]?|(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]*)$/.test(digits);

/** Inserts `marks[i]` before the digit at position `i`, for as many digits as there are. */
function punctuate(digits: string, marks: Record<number, string>): string {
  return [...digits].map((digit, at) => (marks[at] ?? "") + digit).join("");
}

const digitsOf = (text: string) => text.replace(/[^0-9]/g, "");

/** Ten digits, or 1 or +1 and ten, and an extension of one to six digits. Blanks are those of one line. */
const US_PHONE =
  /^[\p{Zs}().\-/]*(?:\+?1[\p{Zs}().\-/]*)?((?:[0-9][\p{Zs}().\-/]*){10})(?:(?:x|ext\.?|extension|#)\p{Zs}*([0-9]{1,6})\p{Zs}*)?$/iu;

/**
 * Input masks: convert typed text, complete or not, to the text to show. Idempotent. They only add or replace
 * punctuation. A text that does not fit stays exactly as typed.
 */
export const masks = {
  /**
   * (###) ###-####, with an extension (###) ###-#### x###. Formats only a complete number, because a shorter or longer
   * one is another number, such as `555-0123` or `+44 20 7946 0958`. Removes the country code 1.
   */
  phone: (text: string) => {
    const [, number = "", extension] = US_PHONE.exec(withoutInvisible(text)) ?? [];
    if (!number) return text;
    const shown = punctuate(digitsOf(number), { 0: "(", 3: ") ", 6: "-" });
    return extension ? `${shown} x${extension}` : shown;
  },
  /** ###-##-#### */
  ssn: (text: string) =>
    /^\p{Zs}*[0-9](?:[\p{Zs}-]*[0-9]){0,8}[\p{Zs}-]*$/u.test(text)
      ? punctuate(digitsOf(text), { 3: "-", 5: "-" })
      : text,
  /** ##-########, as specified: one digit more than real numbers have. */
  tin: (text: string) =>
    /^\p{Zs}*[0-9](?:[\p{Zs}-]*[0-9]){0,9}[\p{Zs}-]*$/u.test(text)
      ? punctuate(digitsOf(text), { 2: "-" })
      : text,
  /** ##/##/#### for what can become a day. A one-digit month or day followed by a slash gets a leading zero; a whole day is rearranged. */
  date: (text: string) => {
    const day = parseDate(text);
    if (day) return date(day);
    const padded = text.replace(/^([0-9])(?=\/)/, "0$1").replace(/^([0-9]{2}\/)([0-9])(?=\/)/, "$10$2");
    return /^(?:[0-9]{1,2}\/?|[0-9]{2}\/?[0-9]{1,2}\/?|[0-9]{2}\/?[0-9]{2}\/?[0-9]{1,4})$/.test(padded) &&
      canBecomeDay(digitsOf(padded))
      ? punctuate(digitsOf(padded), { 2: "/", 4: "/" })
      : text;
  },
} as const;

export type MaskName = keyof typeof masks;

export const MONTHS =
  "January February March April May June July August September October November December".split(" ");
/** Returns the name of the day's month. */
export const monthName = (day: string): string => MONTHS[Number(day.slice(5, 7)) - 1] ?? "";

/** The first and the last day that a date can have. */
export const EARLIEST_DAY = "1900-01-01";
export const LATEST_DAY = "9999-12-31";

/** The day in the orders that cannot be misread: month first with a year of four digits, or ISO 8601. */
const DAY_FORMS = [
  /^(?<month>[0-9]{1,2})(?<mark>\/|-|\p{Zs}+)(?<day>[0-9]{1,2})\k<mark>(?<year>[0-9]{4})$/u,
  /^(?<month>[0-9]{2})(?<day>[0-9]{2})(?<year>[0-9]{4})$/,
  /^(?<year>[0-9]{4})-(?<month>[0-9]{2})-(?<day>[0-9]{2})$/,
];

/**
 * Returns a typed, pasted, sent or imported day as `YYYY-MM-DD`. Reads `M/D/YYYY`, also with dashes or blanks,
 * `MMDDYYYY`, and `YYYY-MM-DD`. Returns null for anything else, such as a year of two digits or a time, and for days that
 * do not exist.
 */
export function parseDate(text: string): string | null {
  const trimmed = withoutInvisible(text).trim();
  for (const form of DAY_FORMS) {
    const { year, month, day } = form.exec(trimmed)?.groups ?? {};
    if (!year || !month || !day) continue;
    const iso = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    return isDay(iso) ? iso : null;
  }
  return null;
}

/** Parses a number, also with separators of thousands. Returns null for a blank and NaN for anything else. */
export function parseNumber(input: string): number | null {
  const trimmed = input.trim();
  const digits = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(trimmed)
    ? trimmed.replaceAll(",", "")
    : trimmed;
  if (digits === "") return null;
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(digits) ? Number(digits) : Number.NaN;
}

/**
 * Parses minutes: `75`, `1:15` and `1h15` are all 75. Returns null for a blank and NaN for anything else, including
 * `1.5` (hours or minutes?) and `1,200`. Parses `-5`, so that validation can refuse it as too small.
 */
export function parseMinutes(input: string): number | null {
  const trimmed = input.trim();
  if (trimmed === "") return null;
  if (/^-?\d+$/.test(trimmed)) return Number(trimmed);
  const [, hours, rest] = /^(?=.*\d)(\d*)[:hH](\d{0,2})m?$/.exec(trimmed.replaceAll(" ", "")) ?? [];
  if (hours === undefined || Number(rest || 0) > 59) return Number.NaN;
  return Number(hours || 0) * 60 + Number(rest || 0);
}

/** Returns today (or the day of `moment`) as `YYYY-MM-DD` in the organization's time zone (`TZ`). */
export const today = (moment = new Date(now())): string => utcDay(wallTime(moment));

/** Returns the UTC day (`YYYY-MM-DD`) of a Date, which is how Prisma reads date columns. */
export const utcDay = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Returns the day (`YYYY-MM-DD`) that is `days` later, or earlier if negative. */
export const addDays = (day: string, days: number): string =>
  utcDay(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

/**
 * Returns the last day on which something can have happened: tomorrow, because some users are in a time zone ahead of the
 * organization's.
 */
export const latestDay = (): string => addDays(today(), 1);
