import { dayQuestions } from "@/lib/transfer/imports/days";
import { valueKey } from "@/lib/transfer/imports/readings";
import { type ColumnSurvey, VALUE_MAX, VALUES_MAX } from "@/lib/transfer/imports/schema";
import { saysNothing } from "@/lib/transfer/imports/texts";

/** The values under a heading, and of each kind of question, that are shown, and the most characters of one. */
const SAMPLES = 3;
const SAMPLE_MAX = 60;
/** The most characters of the listed values of one column, and of all columns of a file. */
const COLUMN_CHARACTERS = 20_000;
const FILE_CHARACTERS = 2_000_000;
/** Of so many values, a column of days has at least half. */
const DAYS_SHARE = 0.5;

type Found = ColumnSurvey["dayFirst"];
const found = (): Found => ({ count: 0, samples: [] });

function add(to: Found, text: string): void {
  to.count += 1;
  if (to.samples.length >= SAMPLES) return;
  const sample = text.length > SAMPLE_MAX ? `${text.slice(0, SAMPLE_MAX)}…` : text;
  if (!to.samples.includes(sample)) to.samples.push(sample);
}

/** Returns the surveyors of a file's columns, which share the characters that they may list. */
export function surveyorsOf(columns: number): ColumnSurveyor[] {
  const rest = { characters: FILE_CHARACTERS };
  return Array.from({ length: columns }, () => new ColumnSurveyor(rest));
}

/** Collects what the screen shows of one column, in bounded memory: its first different values and their number. */
class ColumnSurveyor {
  private readonly values = new Map<string, { text: string; count: number }>();
  /** The same entries by their exact texts, because folding each cell of a long file takes time. */
  private readonly byText = new Map<string, { text: string; count: number }>();
  private readonly all = found();
  private characters = 0;
  private days = 0;
  /** True if there are values that are not listed, and if no other one will be. */
  private more = false;
  private isFull = false;
  private readonly dayFirst = found();
  private readonly eitherFirst = found();
  private readonly shortYears = found();
  private readonly serials = found();
  private readonly commas = found();

  constructor(private readonly rest: { characters: number }) {}

  /** Adds a cell; a blank one does not count. */
  add(cell: string): void {
    const text = cell.trim();
    if (text === "") return;
    add(this.all, text);
    if (text.length > VALUE_MAX) {
      this.more = true;
      return;
    }
    if (text.includes(",")) add(this.commas, text);
    const mayHaveDays = !this.isFull || this.days >= VALUES_MAX * DAYS_SHARE;
    const isFirst = this.list(text);
    // Most columns of a long file are texts, and reading each as a day takes time.
    if (mayHaveDays) this.addDay(text, isFirst);
  }

  /** Counts a value. Returns true if it is the first of its kind. */
  private list(text: string): boolean {
    const same = this.byText.get(text);
    if (same) same.count += 1;
    if (same) return false;
    const isNothing = saysNothing(text);
    if (this.isFull && !isNothing) return true;
    const key = valueKey(text);
    const known = this.values.get(key);
    if (!known && !isNothing && !this.hasRoom(text)) {
      [this.isFull, this.more] = [true, true];
      return true;
    }
    const entry = known ?? { text, count: 0 };
    entry.count += 1;
    if (!known) {
      this.values.set(key, entry);
      this.characters += text.length;
      this.rest.characters -= text.length;
    }
    if (this.byText.size < VALUES_MAX) this.byText.set(text, entry);
    return !known;
  }

  private hasRoom({ length }: string): boolean {
    return (
      this.values.size < VALUES_MAX &&
      this.characters + length <= COLUMN_CHARACTERS &&
      length <= this.rest.characters
    );
  }

  private addDay(text: string, isFirst: boolean): void {
    const { isDay, asksOrder, isEither, asksCentury, isSerial } = dayQuestions(text);
    if (isDay && isFirst) this.days += 1;
    if (asksOrder) add(this.dayFirst, text);
    if (isEither) add(this.eitherFirst, text);
    if (asksCentury && isDay) add(this.shortYears, text);
    if (isSerial) add(this.serials, text);
  }

  /** Returns what is known so far. */
  result(): ColumnSurvey {
    const { all, more, dayFirst, eitherFirst, shortYears, serials, commas } = this;
    const values = [...this.values.values()];
    return { ...all, values, more, dayFirst, eitherFirst, shortYears, serials, commas };
  }
}
