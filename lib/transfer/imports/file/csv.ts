import "server-only";
import { invalid } from "@/lib/core/errors";
import { whole } from "@/lib/core/text/format";
import { assertColumnCount, assertRowCount } from "@/lib/transfer/imports/file/limits";
import type { FileRow } from "@/lib/transfer/imports/file/store";

// CSV as programs and people write it. RFC 4180 has one line end and one way to quote; files have all, in any mixture.

/** The most characters of a row. Without a closing quotation mark, the rest of the file is one row. */
const ROW_MAX = 1024 * 1024;

const [QUOTE, EQUALS, BLANK, LINE_FEED, RETURN] = ['"', "=", " ", "\n", "\r"].map((character) =>
  character.charCodeAt(0),
);

/** A formula that is only a text, as programs write numbers with leading zeros: `="00123"`. */
const TEXT_FORMULA = /^="((?:[^"]|"")*)"$/;

/** `start`: before the cell's first character. `closed`: right after a quotation mark that may be a doubled one. */
type State = "start" | "plain" | "quoted" | "closed" | "after";

/** Returns the text before a closing quotation mark. Doubled ones are replaced at once, because a cell may have a million. */
function unquoted(text: string): string {
  const inner = text.slice(0, -1);
  return inner.includes('""') ? inner.replaceAll('""', '"') : inner;
}

const notCsv = (why: string) => invalid("file", `This is not a readable CSV file: ${why}`);

/**
 * Splits the pieces of a CSV file into rows. Leaves out empty rows, which count as in a spreadsheet. CR, LF and CRLF outside quotation marks end a row. A cell may be quoted,
 * also after blanks; a quotation mark further inside is part of the text. Throws 422 beyond the limits of a file before
 * it collects the cells.
 */
export class CsvSplitter {
  private rows: FileRow[] = [];
  private number = 1;
  private cells: string[] = [];
  private length = 0;
  private problem: string | undefined;
  private cell = "";
  private state: State = "start";
  private isAfterReturn = false;
  private readonly separator: number;

  constructor(delimiter: string) {
    this.separator = delimiter.charCodeAt(0);
  }

  /** Returns the rows that end in this piece and are not empty. */
  push(text: string): FileRow[] {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at);
      const isSecondOfPair = this.isAfterReturn && character === LINE_FEED;
      this.isAfterReturn = false;
      if (isSecondOfPair) {
        from = at + 1;
      } else if (this.isAtRowStart && from === at && (character === LINE_FEED || character === RETURN)) {
        // A file may have a million of these.
        this.countRow();
        from = at + 1;
        this.isAfterReturn = character === RETURN;
      } else if (this.state === "quoted") {
        at = text.indexOf('"', at);
        if (at < 0) break;
        this.state = "closed";
      } else if (character === this.separator || character === LINE_FEED || character === RETURN) {
        this.endCell(text.slice(from, at));
        from = at + 1;
        if (character === this.separator) assertColumnCount(this.cells.length + 1);
        else this.endRow();
        this.isAfterReturn = character === RETURN;
      } else if (this.state === "closed" && character === QUOTE) {
        this.state = "quoted";
      } else if (this.state === "closed" || this.state === "after") {
        if (this.state === "closed") {
          this.cell = unquoted(this.cell + text.slice(from, at));
          from = at;
        }
        this.state = "after";
        if (character !== BLANK) this.problem = "It has text after a closing quotation mark";
      } else if (this.state === "start" && character === QUOTE && this.opens(text.slice(from, at))) {
        this.cell = "";
        from = at + 1;
        this.state = "quoted";
      } else if (character !== BLANK && character !== EQUALS) this.state = "plain";
    }
    this.cell += text.slice(from);
    if (this.length + this.cell.length > ROW_MAX)
      throw notCsv(
        `row ${this.number} has more than ${whole(ROW_MAX)} characters. A quotation mark may be missing.`,
      );
    const ended = this.rows;
    this.rows = [];
    return ended;
  }

  /** Returns the last row, if it is not empty. Throws 422 within quotation marks. */
  end(): FileRow[] {
    if (this.state === "quoted") throw notCsv(`a quotation mark in row ${this.number} is never closed.`);
    if (this.cells.length > 0 || this.cell !== "" || this.state !== "start") {
      this.endCell("");
      this.endRow();
    }
    return this.rows;
  }

  /** True if a quotation mark after this beginning of a cell quotes it. */
  private opens(beginning: string): boolean {
    return /^ *=?$/.test(this.cell + beginning);
  }

  private endCell(rest: string): void {
    const cell = this.state === "closed" ? unquoted(this.cell + rest) : this.cell + rest;
    this.cells.push(
      cell.startsWith('="')
        ? cell.replace(TEXT_FORMULA, (_, text: string) => text.replaceAll('""', '"'))
        : cell,
    );
    this.length += cell.length;
    this.cell = "";
    this.state = "start";
  }

  private get isAtRowStart(): boolean {
    return this.state === "start" && this.cells.length === 0 && this.cell === "";
  }

  private countRow(): void {
    assertRowCount(this.number);
    this.number += 1;
  }

  private endRow(): void {
    const { number } = this;
    this.countRow();
    if (this.cells.some((cell) => cell.trim() !== ""))
      this.rows.push({ number, cells: this.cells, problem: this.problem });
    this.cells = [];
    this.length = 0;
    this.problem = undefined;
  }
}
