"use client";

import { type ReactNode, useId, useState } from "react";
import { type MappingState, type MatchedColumn, valuesOf } from "@/components/transfer/imports/use-mapping";
import { DayControl } from "@/components/ui/day-control";
import { counted, date, parseDate, today } from "@/lib/core/text/format";
import { turnedName } from "@/lib/core/text/person-name";
import { readDay } from "@/lib/transfer/imports/days";
import {
  correctionsOf,
  isNameKey,
  isTurnedIn,
  labelParts,
  openQuestion,
  type ReadValue,
  readValues,
  withReading,
} from "@/lib/transfer/imports/mapping";
import { ADD, BLANK } from "@/lib/transfer/imports/readings";
import type { ColumnDecisions, ImportField } from "@/lib/transfer/imports/schema";
import { wholeZip } from "@/lib/transfer/imports/texts";

type Decide = (decisions: Partial<ColumnDecisions>) => void;

/** Returns the id of a column's part of the screen. */
export const columnId = (key: string): string => `values-${key}`;

/** The second step: what the values of lists, choices, boxes, and days become, and how texts are corrected. */
export function ValuesStep({ state }: { state: MappingState }) {
  const { columns, decide, mapping, setAsWritten } = state;
  const shown = columns.filter(({ field, survey }) => field.reads !== null && survey.count > 0);
  const names = columns.filter(({ field, survey }) => isNameKey(field.key) && isTurnedIn(survey));
  // Columns with questions come first, also after an answer, so that nothing moves.
  const ordered = [...shown].sort((a, b) => Number(hasQuestions(b)) - Number(hasQuestions(a)));
  return (
    <div className="divide-y divide-line border-line border-y">
      {ordered.map((column) => (
        <ValueColumn
          key={column.field.key}
          column={column}
          decide={(decisions) => decide(column.field.key, decisions)}
        />
      ))}
      {names.map(({ heading, field, survey, decisions }) => (
        <Group
          key={field.key}
          id={columnId(field.key)}
          heading={heading}
          words={`becomes ${labelParts(field.label).short}`}
        >
          <Check
            label={`Turn names such as “${survey.commas.samples[0]}” into “${turnedName(survey.commas.samples[0] ?? "")}”`}
            checked={decisions.turnNames === true}
            onChange={(turnNames) => decide(field.key, { turnNames })}
          />
        </Group>
      ))}
      <Corrections columns={columns} asWritten={mapping.asWritten} setAsWritten={setAsWritten} />
    </div>
  );
}

/** True if the importer is asked about the column or some of its values. */
const hasQuestions = ({ field, survey, heading }: MatchedColumn): boolean =>
  (field.reads === "day" && openQuestion(survey, {}) !== null) ||
  readValues(field, heading, survey.values, {}).some(({ reading }) => reading === undefined);

function Group({
  id,
  heading,
  words,
  children,
}: {
  id?: string;
  heading: string;
  /** The end of the sentence that the heading begins. */
  words: string;
  children: ReactNode;
}) {
  return (
    <fieldset id={id} tabIndex={-1} className="min-w-0 py-4 outline-none">
      <legend className="float-left mb-3 w-full">
        <span className="font-semibold wrap-anywhere">{heading}</span>{" "}
        <span className="text-muted text-sm">{words}</span>
      </legend>
      <div className="clear-both stack">{children}</div>
    </fieldset>
  );
}

function Check({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <label className="flex min-h-control items-center gap-2.5">
      <input
        type="checkbox"
        className="check"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="wrap-anywhere">{label}</span>
    </label>
  );
}

function ValueColumn({ column, decide }: { column: MatchedColumn; decide: Decide }) {
  const { heading, field, survey, decisions } = column;
  const values = valuesOf(column);
  const isDay = field.reads === "day";
  const hasNoAnswer = isDay && openQuestion(survey, decisions) !== null;
  const { values: _, ...rules } = decisions;
  const isRead = new Set(
    readValues(field, heading, survey.values, rules).flatMap(({ text, reading }) =>
      reading === undefined ? [] : [text],
    ),
  );
  // A day that waits for the answer of its column is no question of its own.
  const asked = hasNoAnswer ? [] : values.filter(({ text }) => !isRead.has(text));
  const recognized = values.filter(({ text }) => isRead.has(text));
  const choose = (text: string, becomes: string | undefined) =>
    decide({ values: withReading(decisions, text, becomes) });
  const listOf = (some: typeof values) => (
    <ul className="grid gap-3">
      {some.map((value) => (
        <Value
          key={value.text}
          value={value}
          field={field}
          onChoose={(becomes) => choose(value.text, becomes)}
        />
      ))}
    </ul>
  );
  return (
    <Group id={columnId(field.key)} heading={heading} words={`becomes ${labelParts(field.label).short}`}>
      {field.reads === "safeToCall" && (
        <p className="text-muted text-sm">
          A blank cell means that calling is not safe. Only yes and no are read by themselves.
        </p>
      )}
      {isDay && <DayQuestions column={column} decide={decide} />}
      {asked.length > 0 && listOf(asked)}
      {recognized.length > 0 && (
        <details>
          <summary className="min-h-control cursor-pointer content-center">
            {recognized.length === values.length && values.length > 1 ? "All " : ""}
            {counted(recognized.length, "value")} recognized: <Summary values={recognized} field={field} />
          </summary>
          <div className="mt-2">{listOf(recognized)}</div>
        </details>
      )}
      {survey.more && (
        <p className="text-muted text-sm">
          The column has more values. They are read in the same way, and rows with one that is not known are
          rejected.
        </p>
      )}
      {decisions.blankRefused && (
        <Check
          label="Leave the field blank if a value is refused"
          checked
          onChange={(blankRefused) => decide({ blankRefused })}
        />
      )}
    </Group>
  );
}

const SUMMARY_VALUES = 3;

function Summary({ values, field }: { values: readonly ReadValue[]; field: ImportField }) {
  const words = values
    .slice(0, SUMMARY_VALUES)
    .map(({ text, reading = "" }) => `${text} → ${readingWords(reading, field)}`);
  return (
    <span className="wrap-anywhere text-muted">
      {words.join(", ")}
      {values.length > SUMMARY_VALUES && " …"}
    </span>
  );
}

const BLANK_WORDS = "Leave blank";

function readingWords(reading: string, { options, reads }: ImportField): string {
  if (reading === BLANK) return "blank";
  if (reads === "day") return date(reading);
  return options.find(({ value }) => value === reading)?.label ?? reading;
}

/** One value of a column with its number, and the choice of what it becomes. */
function Value({
  value: { text, count, reading },
  field,
  onChoose,
}: {
  value: ReadValue;
  field: ImportField;
  onChoose: (becomes: string | undefined) => void;
}) {
  const id = useId();
  return (
    <li className="grid items-center gap-x-4 gap-y-1 md:grid-cols-[1fr_8rem_1fr]">
      <label htmlFor={id} className="wrap-anywhere font-medium">
        {text}
      </label>
      <span className="text-muted text-sm">{counted(count, "row")}</span>
      {field.reads === "day" ? (
        <DayValue id={id} text={text} reading={reading} onChoose={onChoose} />
      ) : (
        <select
          id={id}
          className="control"
          value={reading === undefined ? "?" : `=${reading}`}
          onChange={({ target }) => onChoose(target.value === "?" ? undefined : target.value.slice(1))}
        >
          {reading === undefined && <option value="?">-- Choose --</option>}
          <option value={`=${BLANK}`}>
            {field.reads === "safeToCall" ? `${BLANK_WORDS} (not safe)` : BLANK_WORDS}
          </option>
          {field.options.map(({ value, label }) => (
            <option key={value} value={`=${value}`}>
              {label}
            </option>
          ))}
          {field.canAdd && <option value={`=${ADD}`}>Add “{text}” to the list</option>}
        </select>
      )}
    </li>
  );
}

/** The day that a value becomes, typed by the user, or nothing. */
function DayValue({
  id,
  text,
  reading,
  onChoose,
}: {
  id: string;
  text: string;
  reading: string | undefined;
  onChoose: (becomes: string | undefined) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const change = (next: string) => {
    setTyped(next);
    onChoose(parseDate(next) ?? undefined);
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4">
      <DayControl id={id} label={`the date for ${text}`} value={typed ?? reading ?? ""} onChange={change} />
      <Check
        label={BLANK_WORDS}
        checked={reading === BLANK}
        onChange={(isBlank) => {
          setTyped(null);
          onChoose(isBlank ? BLANK : undefined);
        }}
      />
    </div>
  );
}

/** The questions about a whole column of days, each with three of its values read in every way. */
function DayQuestions({
  column: { survey, decisions, field },
  decide,
}: {
  column: MatchedColumn;
  decide: Decide;
}) {
  const { dayFirst, eitherFirst, shortYears, serials } = survey;
  const samples = [
    ...new Set([...dayFirst.samples.slice(0, 2), ...eitherFirst.samples, ...dayFirst.samples]),
  ].slice(0, 3);
  const inWords = (rules: ColumnDecisions, texts: readonly string[]) =>
    texts
      .map((text) => {
        const day = readDay(text, { century: "past", ...decisions, ...rules }, today());
        return `${text} is ${day ? longDay(day) : "no date"}`;
      })
      .join(" · ");
  const { key } = field;
  return (
    <>
      {dayFirst.count > 0 && (
        <Question
          name={`${key}-order`}
          title={`In which order are these dates? ${counted(dayFirst.count, "value")} cannot be read month first.`}
          value={decisions.order}
          options={[
            { value: "month", label: "Month first", hint: inWords({ key, order: "month" }, samples) },
            { value: "day", label: "Day first", hint: inWords({ key, order: "day" }, samples) },
          ]}
          onChange={(order) => decide({ order })}
        />
      )}
      {shortYears.count > 0 && (
        <Question
          name={`${key}-century`}
          title={`Which years are these? ${counted(shortYears.count, "date")} with a year of two digits.`}
          value={decisions.century}
          options={[
            {
              value: "past",
              label: "The latest year that is not in the future",
              hint: inWords({ key, century: "past" }, shortYears.samples),
            },
            {
              value: "1900",
              label: "1900 to 1999",
              hint: inWords({ key, century: "1900" }, shortYears.samples),
            },
            {
              value: "2000",
              label: "2000 to 2099",
              hint: inWords({ key, century: "2000" }, shortYears.samples),
            },
          ]}
          onChange={(century) => decide({ century })}
        />
      )}
      {serials.count > 0 && (
        <div>
          <p className="wrap-anywhere text-muted text-sm">
            Numbers count days, as spreadsheets store them: {inWords({ key }, serials.samples)}
          </p>
          <Check
            label="Count them from 1904, as old Excel files for Mac do"
            checked={decisions.since1904 === true}
            onChange={(since1904) => decide({ since1904 })}
          />
        </div>
      )}
    </>
  );
}

const DAY_WORDS = new Intl.DateTimeFormat("en-US", {
  month: "long",
  day: "numeric",
  year: "numeric",
  timeZone: "UTC",
});
const longDay = (day: string): string => DAY_WORDS.format(new Date(day));

function Question<Value extends string>({
  name,
  title,
  value,
  options,
  onChange,
}: {
  name: string;
  title: string;
  value: Value | undefined;
  options: { value: Value; label: string; hint: string }[];
  onChange: (value: Value) => void;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{title}</legend>
      {options.map((option) => (
        <label key={option.value} className="flex min-h-control items-start gap-2.5 py-2">
          <input
            type="radio"
            className="check"
            name={name}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <span className="wrap-anywhere">
            {option.label}
            <span className="block text-muted text-sm">{option.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** The texts that are left blank or get their zeros, with one box for all. */
function Corrections({
  columns,
  asWritten,
  setAsWritten,
}: {
  columns: readonly MatchedColumn[];
  asWritten: boolean;
  setAsWritten: (asWritten: boolean) => void;
}) {
  const corrected = columns.map((column) => ({
    ...column,
    ...correctionsOf(column.field, column.survey.values),
  }));
  const blank = corrected.flatMap(({ heading, blank }) =>
    blank.map(({ text, count }) => `${heading}: “${text}” (${counted(count, "row")})`),
  );
  const zips = corrected.flatMap(({ zips }) =>
    zips.slice(0, 3).map(({ text }) => `${text} → ${wholeZip(text)}`),
  );
  if (blank.length + zips.length === 0) return null;
  return (
    <Group heading="Other texts" words="are written as records need them">
      <Check
        label="Correct these texts"
        checked={!asWritten}
        onChange={(correct) => setAsWritten(!correct)}
      />
      {blank.length > 0 && <p className="wrap-anywhere text-muted text-sm">Left blank: {blank.join(", ")}</p>}
      {zips.length > 0 && <p className="wrap-anywhere text-muted text-sm">ZIP codes: {zips.join(", ")}</p>}
    </Group>
  );
}
