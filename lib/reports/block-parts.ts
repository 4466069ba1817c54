import "server-only";
import { type Hiding, notHidden, withoutActor } from "@/lib/core/access/scope";
import { and, constant, empty, identifier, join, type Sql, sql } from "@/lib/core/sql";
import { NO_LINE, SHELTER_LINE } from "@/lib/lookups/report-lines";
import { AGE_LINES, type GapField, gapLine, lineOf, type ReportKey } from "@/lib/reports/definitions";
import { ANY_VALUE, type Mapping } from "@/lib/reports/mapping";
import type { ReportQuery } from "@/lib/reports/schema";
import type { Untracked } from "@/lib/reports/untracked";
import { nightsSql } from "@/lib/shelter/nights-by-stay";

// The parts of SQL that the blocks of the reports share (blocks.ts, fvpsa-blocks.ts).

/** Clients hidden from the reader count nowhere. A total with them minus the list of its records would reveal them. */
export type Question = ReportQuery &
  Hiding & {
    /** The first days of the report's years that overlap the period, in order. */
    years: readonly string[];
    report: ReportKey;
    /** True if only clients of the chosen user count, also on lines that look at colleagues' forms. */
    ofOwnClients: boolean;
    mappings: readonly Mapping[];
    untracked: Untracked;
  };

/** SQL condition: form `f` has a service row with minutes. */
const HAS_ROWS = sql`EXISTS (SELECT FROM service_entries e JOIN service_provided_entries p ON p.service_entry_id = e.id
  WHERE e.form_id = f.id AND p.minutes > 0)`;
/** SQL condition: form `f` counts. */
export const SERVES = sql`f.service_status <> 'Not Served' AND ${HAS_ROWS}`;

/** The columns that name the record of a row: exactly one of them. */
type RecordColumns = { form?: Sql; stay?: Sql; contact?: Sql; event?: Sql; survey?: Sql };
/** Records on a line, each once, with its client and with what it adds to lines of times and minutes. `from` follows FROM. */
type RecordRows = RecordColumns & { line: string | Sql; from: Sql; client?: Sql; times?: Sql; minutes?: Sql };
/** Clients on a line. `once` is a promise that `from` has none of them twice on a line, which saves sorting. */
type ClientRows = { line: string | Sql; from: Sql; once?: true };

/** The SQL of a block: its parts, which are named in the WITH clause of its statement, and the rows that count on lines. */
export type Block = {
  /** Parts that other blocks need too, which cost much. */
  shared?: (parts: Parts) => Sql[];
  /** In a block of clients, `records` has all counted records of each of `people`. They are listed on each line of the client. */
  of: (
    parts: Parts,
  ) =>
    | { parts: Sql[]; records: RecordColumns & { from: Sql }; rows: ClientRows[] }
    | { parts: Sql[]; records?: never; rows: RecordRows[] };
};

/** SQL for the line on which a gap is counted. */
export const gap = (field: GapField): Sql => constant(gapLine(field));

/** SELECT of the rows of records on a line. */
export const rowsSql = ({ line, from, ...columns }: RecordRows): Sql => {
  const { client = sql`client_id`, form, stay, contact, event, survey } = columns;
  const { times = sql`1`, minutes = sql`0` } = columns;
  const id = (value: Sql | undefined) => value ?? sql`NULL::int`;
  return sql`SELECT ${typeof line === "string" ? constant(line) : line} AS line, ${client} AS client_id,
    ${id(form)} AS form_id, ${id(stay)} AS stay_id, ${id(contact)} AS contact_id,
    ${id(event)} AS event_id, ${id(survey)} AS survey_id, ${times} AS times, ${minutes} AS minutes
    FROM ${from}`;
};

/** SELECT of the clients on a line, each once. */
export const clientsSql = ({ line, from, once }: ClientRows): Sql =>
  sql`SELECT ${once ? empty : sql`DISTINCT`} client_id, ${typeof line === "string" ? constant(line) : line} AS line FROM ${from}`;

/**
 * The clients of counted records, each with the number of them. They are in order, so that joining their records reads each
 * page only once.
 */
export const peopleOf = (records: Sql): Sql => sql`people AS MATERIALIZED (
    SELECT client_id, count(*) AS records FROM ${records} GROUP BY client_id ORDER BY client_id)`;

type Filters = Pick<Question, "userId" | "formTypeId">;
/** True if the filters choose some of the forms. */
const isFiltered = ({ userId, formTypeId }: Filters): boolean => userId !== null || formTypeId !== null;

/**
 * Returns conditions on forms `f` that count for the reader: in the period, and also under the filters. The same for stays `st`
 * under the filters and of any advocate, of any period.
 */
function visibleRecords({ from, to, userId, formTypeId, ...reader }: Question) {
  // The first is always true, but it lets PostgreSQL use the indexes on forms that begin with `reconciled` to find the days.
  const inPeriod = sql`f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${from}::date AND ${to}::date
    AND ${notHidden(reader, sql`f.client_id`)}`;
  const allStays = notHidden(reader, sql`st.client_id`);
  return {
    inPeriod,
    chosen: and([
      inPeriod,
      ...(userId === null ? [] : [sql`f.user_id = ${userId}`]),
      ...(formTypeId === null ? [] : [sql`f.form_type_id = ${formTypeId}`]),
    ]),
    // Stays have no form type.
    stays: and([
      sql`(${userId}::int IS NULL OR st.user_id = ${userId}) AND ${formTypeId}::int IS NULL`,
      allStays,
    ]),
    allStays,
  };
}
type Visible = ReturnType<typeof visibleRecords>;

/**
 * The contacts in the period, under the filters, each with the client of its form. If that client is hidden from the reader,
 * the contact looks unlinked. Contacts have no form type.
 */
const callsOf = (question: Question): Sql =>
  sql`calls AS MATERIALIZED (
      SELECT ct.id AS contact_id, ct.contacted_on, ct.contact_kind_id, ct.number, ct.adults, ct.children,
        ct.turned_away_reason, f.client_id, f.id IS NOT NULL AND ${notHidden(question, sql`f.client_id`)} AS is_linked
      FROM contacts ct LEFT JOIN forms f ON f.id = ct.form_id
      WHERE ct.contacted_on BETWEEN ${question.from}::date AND ${question.to}::date
        AND (${question.userId}::int IS NULL OR ct.user_id = ${question.userId}) AND ${question.formTypeId}::int IS NULL)`;

/** The events in the period, under the filters, each with the people that it counts. Events have no form type. */
const eventsOf = ({ from, to, userId, formTypeId }: Question): Sql =>
  sql`held AS MATERIALIZED (
      SELECT r.id AS event_id, r.audience, r.materials, r.identifies_victimization, r.series_id,
        CASE WHEN r.series_id IS NULL THEN r.attended ELSE coalesce(r.series_people, 0) END AS people
      FROM events r WHERE r.held_on BETWEEN ${from}::date AND ${to}::date AND ${formTypeId}::int IS NULL
        AND (${userId}::int IS NULL OR EXISTS (SELECT FROM event_staff s WHERE s.event_id = r.id AND s.user_id = ${userId}))
        AND ${withoutActor("holders of Events see all, and readers only numbers")})`;

/** The outcome surveys in the period, under the filters. Surveys have no form type. */
const surveysOf = ({ from, to, userId, formTypeId }: Question): Sql =>
  sql`surveys AS MATERIALIZED (
      SELECT r.id AS survey_id, r.service_kind, r.completed FROM outcome_surveys r
      WHERE r.counted_on BETWEEN ${from}::date AND ${to}::date AND ${formTypeId}::int IS NULL
        AND (${userId}::int IS NULL OR r.user_id = ${userId})
        AND ${withoutActor("holders of Outcome Surveys see all, and readers only numbers")})`;

/**
 * The new clients: those whose first counted form of a year is in the period. All advocates and form types decide
 * this, regardless of filters. Only the first year can have begun before the period, so earlier forms are searched
 * only there, one per client. LIMIT keeps PostgreSQL from reading all forms of that year, as it does for EXISTS.
 * Within one year a client has one first form; without GROUP BY, PostgreSQL estimates the number of rows better.
 */
function newClientsOf(question: Question, visible: Visible): Sql {
  const { from, years } = question;
  const yearStart = sql`${years[0]}::date`;
  const firsts = sql`SELECT client_id, width_bucket(service_on, ${years}::date[]) AS year, min(service_on) AS first_on`;
  return sql`first_forms AS MATERIALIZED (${
    isFiltered(question)
      ? sql`${firsts} FROM people JOIN forms f USING (client_id) WHERE ${visible.inPeriod} AND ${SERVES} GROUP BY 1, 2`
      : sql`${firsts} FROM counted_forms GROUP BY 1, 2 ORDER BY 1`
  }),
    new_clients AS MATERIALIZED (
      SELECT client_id, ${years.length === 1 ? sql`first_on` : sql`min(first_on)`} AS new_on FROM first_forms
      WHERE year > 1 OR ${yearStart} = ${from}::date OR (
        SELECT TRUE FROM forms f WHERE f.client_id = first_forms.client_id AND f.reconciled IN (TRUE, FALSE)
          AND f.service_on >= ${yearStart} AND f.service_on < ${from}::date AND ${SERVES} LIMIT 1) IS NULL
      ${years.length === 1 ? empty : sql`GROUP BY client_id`})`;
}

/** The mappings of these kinds, as a table. */
const mappingOf = (mappings: readonly Mapping[], kinds: readonly Mapping["kind"][]): Sql =>
  sql`mapping AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(
        mappings
          .filter(({ kind }) => kinds.includes(kind))
          .map(({ validThrough, ...row }) => ({ ...row, validThrough: validThrough ?? "infinity" })),
      )}::jsonb) AS m(kind text, source text, "formTypeId" int, line text, "validFrom" date, "validThrough" date))`;

/** Returns the parts that blocks share, and facts about the question. */
export function partsOf(question: Question) {
  const { report, userId, years, mappings, untracked, ofOwnClients } = question;
  const from = sql`${question.from}::date`;
  const to = sql`${question.to}::date`;
  const visible = visibleRecords(question);
  return {
    from,
    to,
    /** The first days of the years that overlap the period. */
    years,
    untracked,
    visible,
    isFiltered: isFiltered(question),
    contacts: callsOf(question),
    events: eventsOf(question),
    surveys: surveysOf(question),
    /** True if the report has the line. Data that only other reports need is not read. */
    has: (line: string) => lineOf(report, line) !== undefined,
    /**
     * The nights of all clients from a day through `to` that count in reports. They belong to the stays `st` that are chosen by
     * `visible.stays`.
     */
    nightsSince: (since: Sql) =>
      sql`counted_nights AS MATERIALIZED (${nightsSql(question, { from: since, to }, countingShelters(sql`mapping`))})`,
    /** SQL condition on Not Served forms `f`: all of them count, or those of clients with such a form of the chosen user. */
    isOfCountedClient: ofOwnClients
      ? sql`f.client_id IN (SELECT client_id FROM counted_forms UNION ALL SELECT f.client_id FROM forms f
          WHERE ${visible.inPeriod} AND f.user_id = ${userId}::int AND f.service_status = 'Not Served')`
      : sql`TRUE`,
    /** The counted forms: in the period, under the filters, Served or Partially Served, with minutes; and their clients. */
    countedForms: sql`counted_forms AS MATERIALIZED (
      SELECT f.id AS form_id, f.client_id, f.service_on FROM forms f WHERE ${visible.chosen} AND ${SERVES}),
    ${peopleOf(sql`counted_forms`)}`,
    newClients: newClientsOf(question, visible),
    /** True if a value of a custom field is mapped. */
    hasCustom: mappings.some(({ kind }) => kind === "own_client" || kind === "own_form"),
    mapping: (...kinds: Mapping["kind"][]) => mappingOf(mappings, kinds),
  };
}
export type Parts = ReturnType<typeof partsOf>;

/** SELECT of the days on which shelters count (`nightsSql`), by the mappings in a table like `mapping`. */
export const countingShelters = (mappings: Sql): Sql =>
  sql`SELECT source, "validFrom" AS first, "validThrough" AS last FROM ${mappings}
    WHERE kind = ${constant("shelter" satisfies Mapping["kind"])} AND line = ${constant(SHELTER_LINE)}`;

/** Joins a value with the mappings `m` that are valid on the day. A value without one keeps its row. */
export const mapped = (kind: Sql, source: Sql, day: Sql): Sql =>
  sql`LEFT JOIN mapping m ON m.kind = ${kind} AND m.source = ${source}
    AND ${day} BETWEEN m."validFrom" AND m."validThrough"`;

/**
 * The same on the day the client became new, for kinds whose values have at most one line per day. The setup refuses a
 * second one. This makes the sections add up to the new individuals.
 */
const mappedOnce = (name: Sql, kind: Mapping["kind"], source: Sql): Sql =>
  sql`LEFT JOIN mapping ${name} ON ${name}.kind = ${constant(kind)} AND ${name}.source = ${source}
    AND n.new_on BETWEEN ${name}."validFrom" AND ${name}."validThrough"`;

const AGE_LINE = sql`CASE ${join(
  AGE_LINES.toReversed().map(({ key, from }) => sql`WHEN years >= ${constant(from)} THEN ${constant(key)}`),
  " ",
)} END`;

/**
 * SQL for the values of custom fields in `custom`, as sources of mappings: the key of a ticked box, `key:id` of a choice. A
 * number looks like a choice, but is not mapped.
 */
export const customValues = (custom: Sql): Sql => sql`LATERAL (
    SELECT CASE jsonb_typeof(one) WHEN 'number' THEN key || ':' || one::text ELSE key END AS source
    FROM jsonb_each(${custom}) AS custom(key, value) CROSS JOIN LATERAL jsonb_array_elements(
      CASE jsonb_typeof(value) WHEN 'array' THEN value ELSE jsonb_build_array(value) END) AS each(one)
    WHERE jsonb_typeof(one) = 'number' OR one = 'true') AS owned`;

/** The custom values on the forms of `people` that meet a condition, such as `visible.inPeriod`. */
export const customOfForms = (condition: Sql): Sql =>
  // biome-ignore lint/plugin: people are counted clients
  sql`SELECT client_id, f.id AS form_id, 'own_form' AS kind, source, f.service_on AS day
      FROM people JOIN forms f USING (client_id) CROSS JOIN ${customValues(sql`f.custom`)} WHERE ${condition}`;

/**
 * The line of a demographic section for a new client, and the line of its gap. Without an answer the client is not tracked
 * if the organization did not ask on the day that made the client new. An answer without a mapping is always a gap.
 */
export const demographicLines = (section: keyof Untracked, hasNoAnswer: Sql, untracked: Untracked): Sql => {
  const isUntracked = sql`${hasNoAnswer} AND (new_on <@ ${untracked[section]}::datemultirange) IS TRUE`;
  const isMissing = sql`(${hasNoAnswer} OR ${identifier(section)} IS NULL)`;
  const line = (end: string) => constant(`${section}_${end}`);
  return sql`(CASE WHEN ${isUntracked} THEN ${line("not_tracked")}
          ELSE coalesce(nullif(${identifier(section)}, ${constant(NO_LINE)}), ${line("not_reported")}) END),
        (CASE WHEN ${isMissing} AND NOT (${isUntracked}) THEN ${gap(section)} END)`;
};

/**
 * The race, gender or sex, and age of each of `clients` on the day in `new_on`. For a purged client, the stored age bracket
 * replaces the date of birth. age() makes a person born on February 29 a year older on March 1, which is how the reports
 * count ages.
 */
export const factsOn = (
  section: "gender" | "sex",
  clients = sql`new_clients`,
): Sql => sql`facts AS MATERIALIZED (
    SELECT n.*, race.line AS race, d.ethnicity_id IS NULL AS no_race, gender.line AS ${identifier(section)},
      coalesce(d.gender, 'Unknown') = 'Unknown' AS no_gender,
      CASE WHEN b.date_of_birth <= n.new_on THEN (SELECT ${AGE_LINE} FROM extract(year FROM age(n.new_on, b.date_of_birth)) AS years)
        ELSE bracket.line END AS age,
      (b.date_of_birth <= n.new_on) IS NOT TRUE
        AND coalesce(kept.age_bracket_id, d.age_bracket_id, b.age_bracket_id) IS NULL AS no_age
    FROM ${clients} n
      LEFT JOIN client_demographic_entries d USING (client_id)
      LEFT JOIN client_biographical_entries b USING (client_id)
      ${mappedOnce(sql`race`, "ethnicity", sql`d.ethnicity_id::text`)}
      ${mappedOnce(sql`gender`, section, sql`coalesce(d.gender, 'Unknown')`)}
      LEFT JOIN LATERAL (SELECT a.age_bracket_id FROM client_ages a WHERE a.client_id = n.client_id AND a.since <= n.new_on
        ORDER BY a.since DESC LIMIT 1) kept ON TRUE
      ${mappedOnce(sql`bracket`, "age_bracket", sql`coalesce(kept.age_bracket_id, d.age_bracket_id, b.age_bracket_id)::text`)})`;
export const FACT_KINDS = ["ethnicity", "gender", "sex", "age_bracket"] as const;

/** The values of the survivor sections in `entries` that can be mapped, each with the day of its form. */
export const VICTIMIZATIONS = sql`SELECT client_id, form_id, service_on, 'victimization' AS kind, secondary_victimization_id::text AS source
      FROM entries JOIN survivor_entry_secondary_victimizations ON survivor_entry_id = entries.id
    UNION ALL SELECT client_id, form_id, service_on, 'victimization_other', ${constant(ANY_VALUE)}
      FROM entries WHERE btrim(secondary_victimization_other) <> ''
    UNION ALL SELECT client_id, form_id, service_on, 'hate_crime', ${constant(ANY_VALUE)}
      FROM entries WHERE hate_crime_category_id IS NOT NULL
    UNION ALL SELECT client_id, form_id, service_on, 'offender_relationship', offender_relationship_id::text FROM entries`;
export const VICTIMIZATION_KINDS = [
  "victimization",
  "victimization_other",
  "hate_crime",
  "offender_relationship",
  "own_form",
] as const;

/** SQL condition: the type of form `f` has or had the survivor section. This is known before the section is read. */
export const HAS_SURVIVOR = sql`f.form_type_id = ANY(ARRAY(SELECT id FROM form_types WHERE survivor_entry OR 'survivorEntry' = ANY(former_flags)))`;

/** SELECT of the service rows with minutes of the served forms `f` that meet a condition. */
export const countedRows = (condition: Sql): Sql =>
  // biome-ignore lint/plugin: the condition names the visible forms
  sql`SELECT f.id AS form_id, f.client_id, f.form_type_id, f.service_on, f.service_status, p.service_code_id, p.minutes
    FROM forms f JOIN service_entries e ON e.form_id = f.id JOIN service_provided_entries p ON p.service_entry_id = e.id
    WHERE ${condition} AND f.service_status <> 'Not Served' AND p.minutes > 0`;

/**
 * SELECT of the lines of the codes in `rows` (`countedRows`). They are looked up once per day and form type, not per row. A
 * mapping for the form's type takes precedence over one for all types.
 */
export const linesOfCodes = (kind: "service_code" | "fvpsa_service", rows: Sql): Sql =>
  sql`SELECT DISTINCT service_code_id, form_type_id, service_on, coalesce(line, ${gap("serviceCode")}) AS line FROM (
      SELECT u.*, m.line, m."formTypeId", bool_or(m."formTypeId" IS NOT NULL) OVER same AS has_own
      FROM (SELECT DISTINCT service_code_id, form_type_id, service_on FROM ${rows}) AS u
        ${mapped(constant(kind), sql`u.service_code_id::text`, sql`u.service_on`)}
          AND (m."formTypeId" IS NULL OR m."formTypeId" = u.form_type_id)
      WINDOW same AS (PARTITION BY u.service_code_id, u.form_type_id, u.service_on)
    ) AS candidates WHERE ("formTypeId" IS NOT NULL) = has_own`;

/** The line of shelter services, which must agree with the nights in shelter. */
export const SHELTER_SERVICE = constant("d1_emergency_shelter");
