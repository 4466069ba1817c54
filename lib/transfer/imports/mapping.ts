import { ID_COLUMN, plainHeading } from "@/lib/core/fields/columns";
import { today } from "@/lib/core/text/format";
import { turnedName } from "@/lib/core/text/person-name";
import { CLIENT_NAME, type Column, takesSeveral, wordsOf } from "@/lib/transfer/imports/columns";
import { isSafeHeading } from "@/lib/transfer/imports/headings";
import { valueKey, valueReader } from "@/lib/transfer/imports/readings";
import type {
  ColumnDecisions,
  ColumnSurvey,
  Import,
  ImportField,
  Mapping,
} from "@/lib/transfer/imports/schema";
import { saysNothing, wholeZip } from "@/lib/transfer/imports/texts";

// The decisions about a file that the screen suggests, and the questions that need an answer.

/** True for a file with all columns of such records, as exports of the program write them. Its texts stay as they are. */
export function isOwnExport(headings: readonly string[], columns: readonly Column[]): boolean {
  const given = new Set(headings.map(plainHeading));
  const owned = columns.filter(({ facts, part }) => facts && !facts.custom && !part);
  return [ID_COLUMN, ...owned].every(({ label }) => given.has(plainHeading(label)));
}

/** Returns the decisions that the file itself suggests: names that begin with the last name are turned. */
export function suggestedMapping(
  matches: readonly string[],
  columns: readonly Pick<Column, "key" | "reads">[],
  survey: readonly ColumnSurvey[],
  { asWritten, since1904 }: { asWritten: boolean; since1904: boolean },
): Mapping {
  if (asWritten) return { asWritten, columns: [] };
  const suggested = matches.flatMap((key, at): ColumnDecisions[] => {
    const known = survey[at];
    if (!known) return [];
    if (isNameKey(key) && isTurnedIn(known)) return [{ key, turnNames: true }];
    const isDay = columns.some((column) => column.key === key && column.reads === "day");
    return isDay && since1904 && known.serials.count > 0 ? [{ key, since1904 }] : [];
  });
  return { asWritten, columns: suggested };
}

/** Returns the name of a column without a heading. */
export const unnamedColumn = (at: number): string => `Column ${at + 1}`;

/** True for a field with a whole name. */
export const isNameKey = (key: string): boolean => key === "name" || key === CLIENT_NAME;

/** True if a column has names that begin with the last name. */
export const isTurnedIn = ({ commas }: Pick<ColumnSurvey, "commas">): boolean =>
  commas.samples.some((name) => turnedName(name) !== name);

/** Returns the question about a column of days that is still open, or null. */
export function openQuestion(
  { dayFirst, shortYears }: Pick<ColumnSurvey, "dayFirst" | "shortYears">,
  { order, century }: Pick<ColumnDecisions, "order" | "century">,
): "order" | "century" | null {
  if (dayFirst.count > 0 && order === undefined) return "order";
  return shortYears.count > 0 && century === undefined ? "century" : null;
}

/** A value of a column with its number, and its reading; undefined if the importer has to decide. */
export type ReadValue = { text: string; count: number; reading: string | undefined };

/** Returns the different values of a column as the import reads them. */
export function readValues(
  field: ImportField,
  heading: string,
  values: ColumnSurvey["values"],
  decisions: Omit<ColumnDecisions, "key">,
): ReadValue[] {
  const { reads, options, hasCodes, label, several } = field;
  if (!reads) return [];
  const read = valueReader(
    { reads, options, hasCodes, isSaidSafe: isSafeHeading(heading, label) },
    decisions,
    today(),
  );
  const counts = new Map<string, { text: string; count: number }>();
  for (const { text, count } of values)
    for (const word of several ? wordsOf(text, (line) => read(line) !== undefined) : [text]) {
      const key = valueKey(word);
      counts.set(key, {
        text: counts.get(key)?.text ?? word.trim(),
        count: (counts.get(key)?.count ?? 0) + count,
      });
    }
  return [...counts.values()].map((value) => ({ ...value, reading: read(value.text) }));
}

/** The corrections of a column's texts: values that are left blank, and ZIP codes that get their zeros. */
export function correctionsOf(
  { corrects }: Pick<ImportField, "corrects">,
  values: ColumnSurvey["values"],
): { blank: ColumnSurvey["values"]; zips: ColumnSurvey["values"] } {
  if (corrects === null || corrects === "name") return { blank: [], zips: [] };
  const blank = values.filter(({ text }) => saysNothing(text));
  const zips =
    corrects === "zip" ? values.filter(({ text }) => !saysNothing(text) && wholeZip(text) !== text) : [];
  return { blank, zips };
}

/** Returns the mapping with other decisions for one field. */
export function decided(mapping: Mapping, key: string, decisions: Partial<ColumnDecisions>): Mapping {
  const former = mapping.columns.find((one) => one.key === key) ?? { key };
  const others = mapping.columns.filter((one) => one.key !== key);
  return { ...mapping, columns: [...others, { ...former, ...decisions }] };
}

/** Returns the decisions with another reading of a value; undefined for the reading that the program suggests. */
export function withReading(
  decisions: Pick<ColumnDecisions, "values">,
  text: string,
  becomes: string | undefined,
): NonNullable<ColumnDecisions["values"]> {
  const others = (decisions.values ?? []).filter((one) => valueKey(one.text) !== valueKey(text));
  return becomes === undefined ? others : [...others, { text, becomes }];
}

type Choices = Pick<Import, "matches" | "mapping">;

/**
 * Returns the fields and decisions of an import that was read again as `next`, with those that were chosen on the screen since
 * it was read as `base`. What was chosen for a column or a value that the file no longer has is left out.
 */
export function carriedOver(
  base: Choices,
  chosen: Choices,
  next: Choices & {
    fields: readonly Pick<ImportField, "key" | "partOf" | "corrects">[];
    columns: readonly Pick<ColumnSurvey, "values" | "more">[];
  },
): Choices {
  const isChosen = (at: number) =>
    chosen.matches[at] !== undefined && chosen.matches[at] !== base.matches[at];
  const taken = next.matches.flatMap((_, at) => (isChosen(at) ? (chosen.matches[at] ?? []) : []));
  const wholeOf = (key: string) => next.fields.find((field) => field.key === key)?.partOf;
  const isSeveral = (key: string) => next.fields.some((field) => field.key === key && takesSeveral(field));
  const isTaken = (key: string) =>
    taken.some((one) => (one === key && !isSeveral(key)) || wholeOf(one) === key || one === wholeOf(key));
  const matches = next.matches.map((key, at) => {
    if (isChosen(at)) return chosen.matches[at] ?? "";
    return isTaken(key) ? "" : key;
  });
  const columns = matches.flatMap((key, at): ColumnDecisions | [] => {
    if (key === "" || matches.indexOf(key) !== at) return [];
    const decisionsIn = ({ matches, mapping }: Choices) =>
      matches.indexOf(key) === at ? mapping.columns.find((one) => one.key === key) : undefined;
    const own = decisionsIn(chosen);
    if (!own || JSON.stringify(own) === JSON.stringify(decisionsIn(base))) return decisionsIn(next) ?? [];
    const survey = next.columns[at];
    const listed = new Set(survey?.values.map(({ text }) => valueKey(text)));
    const values = own.values?.filter(({ text }) => survey?.more || listed.has(valueKey(text)));
    return { ...own, ...(values && { values }) };
  });
  const { asWritten } = chosen.mapping.asWritten === base.mapping.asWritten ? next.mapping : chosen.mapping;
  return { matches, mapping: { asWritten, columns } };
}

/** Returns the label of a field, whose column is named with its section: `Client Biographical` and `City`. */
export function labelParts(label: string): { section: string; short: string } {
  const end = label.indexOf(": ");
  return end < 0
    ? { section: "", short: label }
    : { section: label.slice(0, end), short: label.slice(end + 2) };
}

/** Returns the field that a kind of problem is about, among those of the file; undefined if it is about whole rows. */
export function fieldOfProblem(problem: string, fields: readonly ImportField[]): ImportField | undefined {
  const about = fields.filter(({ label }) =>
    [label, labelParts(label).short].some(
      (name) => problem.startsWith(`${name} `) || problem.startsWith(`${name}: `),
    ),
  );
  return about.sort((a, b) => b.label.length - a.label.length)[0];
}
