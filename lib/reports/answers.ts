import "server-only";
import type * as z from "zod/mini";
import { clientSchema } from "@/lib/clients/schema";
import { type Hiding, notHidden } from "@/lib/core/access/scope";
import { namesOf } from "@/lib/core/database/record-names";
import { replicaReader } from "@/lib/core/database/replica";
import { textOf } from "@/lib/core/fields/columns";
import { type FieldFacts, fieldsOf, recordFacts } from "@/lib/core/fields/facts";
import { columnName, ownerColumn, pairsTable } from "@/lib/core/fields/tables";
import { empty, identifier, type Sql, sql } from "@/lib/core/sql";
import { formSchema } from "@/lib/forms/schema";
import { SERVES } from "@/lib/reports/block-parts";
import { monthOf } from "@/lib/reports/periods";

// The answers to a choice field by month. The fields and their SQL follow from the schemas of clients and forms.

/** A field with choices. Its joins start at the form `f`, or for a client's field at the client `c`. */
type ChoiceField = {
  /** `form.intakeForm.survivorEntry.custodyStatusId` */
  key: string;
  /** The section. */
  group: string;
  label: string;
  isOfClient: boolean;
  facts: FieldFacts;
  joins: Sql;
  value: Sql;
};

/** A field as the screen offers it. */
export type AnswerField = Pick<ChoiceField, "key" | "group" | "label">;

/** An answer and its number in each month. */
type Answer = { label: string; counts: number[] };

/** The answers to a field in each of the last 24 months, the most frequent answer first. */
export type Answers = Pick<ChoiceField, "label" | "isOfClient"> & {
  /** The first days of the months. */
  months: string[];
  answers: Answer[];
};

const MONTHS = 24;
const NO_ANSWER = "No answer";

/** Yields the fields of a record or entry, whose row has the alias `row`, and of the entries below. */
function* choicesIn(
  schema: z.core.$ZodType,
  { key, row, joins, isOfClient }: Pick<ChoiceField, "key" | "joins" | "isOfClient"> & { row: string },
): Generator<ChoiceField> {
  const { table, label: group } = recordFacts(schema);
  for (const { name, facts, schema: field } of fieldsOf(schema)) {
    const here = { key: `${key}.${name}`, isOfClient };
    if (facts.kind === "entry") {
      const entry = identifier(facts.table);
      // Without the section a form has not asked. A client without it has given no answer.
      const join = sql`${isOfClient ? sql`LEFT JOIN` : sql`JOIN`} ${entry}
        ON ${entry}.${identifier(ownerColumn(table))} = ${identifier(row)}.id`;
      yield* choicesIn(field, { ...here, row: facts.table, joins: sql`${joins} ${join}` });
    }
    if (facts.kind === "custom") {
      yield* customChoicesIn(field, { ...here, key, row, joins });
      continue;
    }
    if (!facts.entered || facts.sensitive) continue;
    const found = { ...here, group, label: facts.label, facts };
    if (facts.kind === "choice" || facts.kind === "lookup")
      yield { ...found, joins, value: sql`${identifier(row)}.${identifier(columnName(name))}` };
    if (facts.kind === "lookups") {
      const pairs = pairsTable(table, facts.list);
      const from = identifier(pairs.table);
      const owner = identifier(pairs.owner);
      const other = identifier(pairs.other);
      const join = sql`LEFT JOIN ${from} ON ${from}.${owner} = ${identifier(row)}.id`;
      yield { ...found, joins: sql`${joins} ${join}`, value: sql`${from}.${other}` };
    }
  }
}

/** Yields the custom fields of a record. Only forms with an answer count: others may not have had the field. */
function* customChoicesIn(
  schema: z.core.$ZodType,
  { key, row, joins, isOfClient }: Pick<ChoiceField, "key" | "joins" | "isOfClient"> & { row: string },
): Generator<ChoiceField> {
  for (const { name, facts } of fieldsOf(schema)) {
    if (facts.sensitive || (facts.kind !== "choice" && facts.kind !== "choices")) continue;
    const stored = sql`${identifier(row)}.custom -> ${name}::text`;
    const each = sql`LATERAL jsonb_array_elements_text(
      CASE jsonb_typeof(${stored}) WHEN 'array' THEN ${stored} ELSE jsonb_build_array(${stored}) END) AS given(answer)`;
    yield {
      key: `${key}.custom.${name}`,
      group: facts.custom?.title || "Custom fields",
      label: facts.label,
      isOfClient,
      facts,
      joins: isOfClient
        ? sql`${joins} LEFT JOIN ${each} ON TRUE`
        : sql`${joins} JOIN ${each} ON given.answer IS NOT NULL`,
      value: sql`given.answer`,
    };
  }
}

const choiceFields = (): ChoiceField[] => [
  ...choicesIn(formSchema, { key: "form", row: "f", joins: empty, isOfClient: false }),
  ...choicesIn(clientSchema, { key: "client", row: "c", joins: empty, isOfClient: true }),
];

/** Returns the fields whose answers can be shown, in the order of the forms. */
export const answerFields = (): AnswerField[] =>
  choiceFields().map(({ key, group, label }) => ({ key, group, label }));

/**
 * Returns the answers to a field by month: of the forms that have the field, or for a client's field, of the individuals
 * served in the month, whose current answers count. Clients hidden from the actor do not count. Null for an unknown field.
 */
export async function readAnswers(actor: Hiding, key: string, today: string): Promise<Answers | null> {
  const field = choiceFields().find((one) => one.key === key);
  if (!field) return null;
  const { label, facts, isOfClient, joins, value } = field;
  const first = monthOf(today, 1 - MONTHS).from;
  const last = monthOf(today).to;
  const inMonths = sql`f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${first}::date AND ${last}::date`;
  const visible = notHidden(actor, sql`f.client_id`);
  const month = sql`to_char(date_trunc('month', f.service_on), 'YYYY-MM-DD')`;
  const { rows } = await replicaReader(0);
  const people = sql`(SELECT DISTINCT ${month} AS month, f.client_id FROM forms f
      WHERE ${inMonths} AND ${visible} AND ${SERVES}) AS people JOIN clients c ON c.id = client_id`;
  const forms = sql`(SELECT f.*, ${month} AS month FROM forms f WHERE ${inMonths} AND ${visible}) AS f`;
  const counts = await rows<{ month: string; value: string | null; count: number }>(
    "report answers",
    sql`SELECT month, nullif(${value}::text, '') AS value, count(*)::int AS count
     FROM ${isOfClient ? people : forms} ${joins} GROUP BY 1, 2`,
  );
  const names = await namesOf(
    (statement) => rows("names of answers", statement),
    [{ facts, values: counts.map((one) => Number(one.value)) }],
  );
  const months = Array.from({ length: MONTHS }, (_, later) => monthOf(first, later).from);
  const labelOf = (answer: string) =>
    "choices" in facts
      ? (facts.choices.find((choice) => String(choice.value) === answer)?.label ?? answer)
      : textOf(Number(answer), facts, names, "");
  const answers = [...new Set(counts.map((one) => one.value))].map((answer) => ({
    label: answer === null ? NO_ANSWER : labelOf(answer),
    counts: months.map(
      (month) => counts.find((one) => one.month === month && one.value === answer)?.count ?? 0,
    ),
  }));
  return { label, isOfClient, months, answers: answers.sort(byFrequency) };
}

const totalOf = ({ counts }: Answer): number => counts.reduce((sum, count) => sum + count, 0);
/** No answer is last. */
const byFrequency = (a: Answer, b: Answer): number =>
  Number(a.label === NO_ANSWER) - Number(b.label === NO_ANSWER) ||
  totalOf(b) - totalOf(a) ||
  a.label.localeCompare(b.label);
