import "server-only";
import { type Hiding, notHidden } from "@/lib/core/access/scope";
import { and, constant, empty, identifier, join, type Sql, sql } from "@/lib/core/database/sql";
import { columnName } from "@/lib/core/fields/tables";
import {
  ADULT_FROM,
  ADVOCACY_LINES,
  AGE_LINES,
  type BlockName,
  countsStays,
  lineOf,
  linesOf,
  REASON_LINES,
  type ReportKey,
} from "@/lib/reports/definitions";
import { ANY_VALUE, FLAGS, type Mapping, NO_LINE } from "@/lib/reports/mapping";
import type { ReportQuery } from "@/lib/reports/schema";
import type { Untracked } from "@/lib/reports/untracked";
import { isLongOpen } from "@/lib/shelter/list";
import { lastNight, nightsByStay } from "@/lib/shelter/nights-by-stay";

// The SQL of a report. A block is one statement for one or several sections. Its last part, `hits`, has a row for each
// record that counts on a line: line, client_id, form_id, stay_id, contact_id, times, and minutes. Exactly one of the three
// records is not null, and client_id is null for contacts. A number is computed from these rows and the list behind the
// number consists of them, so the two cannot disagree.

/** Clients hidden from the reader count nowhere. A total with them minus the list of its records would reveal them. */
export type Question = ReportQuery &
  Hiding & {
    /** The first days of the report's years that overlap the period, in order. */
    years: readonly string[];
    report: ReportKey;
    mappings: readonly Mapping[];
    untracked: Untracked;
  };

/** SQL condition: form `f` has a service row with minutes. */
const HAS_ROWS = sql`EXISTS (SELECT FROM service_entries e JOIN service_provided_entries p ON p.service_entry_id = e.id
  WHERE e.form_id = f.id AND p.minutes > 0)`;
/** SQL condition: form `f` counts. */
export const SERVES = sql`f.service_status <> 'Not Served' AND ${HAS_ROWS}`;

const RECORDS = ["form_id", "stay_id", "contact_id"] as const;

/**
 * The last part of a block. `rows` has the columns line, client_id, times, minutes, and those of the block's records; with
 * contacts, no client_id.
 */
const hits = (records: readonly (typeof RECORDS)[number][], rows: Sql): Sql =>
  sql`hits AS (SELECT line, ${records.includes("contact_id") ? sql`NULL::int AS client_id` : sql`client_id`}, ${join(
    RECORDS.map((id) => (records.includes(id) ? identifier(id) : sql`NULL::int AS ${identifier(id)}`)),
  )}, times, minutes FROM (${rows}) AS behind)`;

/** The parts that blocks share. */
function parts(question: Question) {
  const { report, from, to, userId, formTypeId, years, mappings, untracked } = question;
  const withStays = countsStays(report);
  const [first, last] = [sql`${from}::date`, sql`${to}::date`];
  // Always true, but it lets PostgreSQL use the indexes on forms that begin with `reconciled` to find the days.
  const inPeriod = sql`f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${first} AND ${last}
    AND ${notHidden(question, sql`f.client_id`)}`;
  const filters = [
    ...(userId === null ? [] : [sql`f.user_id = ${userId}`]),
    ...(formTypeId === null ? [] : [sql`f.form_type_id = ${formTypeId}`]),
  ];
  // Stays have no form type.
  const chosenStays = sql`(${userId}::int IS NULL OR st.user_id = ${userId}) AND ${formTypeId}::int IS NULL`;
  const visible = {
    inPeriod,
    chosen: and([inPeriod, ...filters]),
    stays: and([chosenStays, notHidden(question, sql`st.client_id`)]),
  };
  const firsts = () =>
    sql`SELECT client_id, width_bucket(service_on, ${years}::date[]) AS year, min(service_on) AS first_on`;
  return {
    from: first,
    to: last,
    /**
     * The contacts in the period, under the filters, each with the client of its form. If that client is hidden
     * from the reader, the contact looks unlinked. Contacts have no form type.
     */
    contacts: sql`calls AS MATERIALIZED (
      SELECT ct.id AS contact_id, ct.number, ct.adults, ct.turned_away_reason, k.counts_as_hotline, f.client_id,
        f.id IS NOT NULL AND ${notHidden(question, sql`f.client_id`)} AS is_linked
      FROM contacts ct JOIN contact_kinds k ON k.id = ct.contact_kind_id LEFT JOIN forms f ON f.id = ct.form_id
      WHERE ct.contacted_on BETWEEN ${first} AND ${last}
        AND (${userId}::int IS NULL OR ct.user_id = ${userId}) AND ${formTypeId}::int IS NULL)`,
    /** True if the report has the line. Data that only other reports need is not read. */
    has: (line: string) => lineOf(report, line) !== undefined,
    /** The lines that a block counts. */
    lines: (block: BlockName) => linesOf(report, block).map(({ key }) => key),
    withStays,
    /**
     * Conditions on forms `f` that count for the reader: in the period, and also under the filters. The same for stays
     * `st` under the filters, of any period.
     */
    visible,
    /** The stays with nights in the period, each with its first night there; under any filter. */
    stayed: sql`nights AS MATERIALIZED (${nightsByStay(question, question)}),
    stayed AS MATERIALIZED (
      SELECT st.id AS stay_id, st.client_id, ${chosenStays} AS is_chosen, greatest(st.entered_on, ${first}) AS first_night,
        nights, 1 + st.adults + st.children_thirteen_to_seventeen + st.children_under_thirteen AS people
      FROM nights JOIN stays st ON st.id = stay_id AND ${notHidden(question, sql`st.client_id`)})`,
    /**
     * The counted forms: in the period, under the filters, Served or Partially Served, with minutes. In a report with
     * stays, also the counted stays.
     */
    served: sql`served AS MATERIALIZED (
      SELECT f.id AS form_id, NULL::int AS stay_id, f.client_id, f.service_on FROM forms f WHERE ${visible.chosen} AND ${SERVES}
      ${withStays ? sql`UNION ALL SELECT NULL, stay_id, client_id, first_night FROM stayed WHERE is_chosen` : empty})`,
    /**
     * The clients of counted records, each with the date of the first one in the period and the number of them. They are
     * in order, so that joining their records reads each page only once.
     */
    people: sql`people AS MATERIALIZED (
      SELECT client_id, min(service_on) AS first_on, count(*) AS records FROM served GROUP BY client_id ORDER BY client_id)`,
    /**
     * With stays: the first day of the year on which each of `people` had a counted form or a night, and `new_on`, the
     * first such day in the period, null if they are not new. All advocates and form types decide this. Without filters,
     * `counted` has the counted forms of the period. Of the earlier ones, the first is enough.
     */
    begun: (counted: Sql) => sql`days AS MATERIALIZED (
      ${
        filters.length === 0
          ? sql`SELECT client_id, service_on AS day FROM people JOIN ${counted} USING (client_id)`
          : sql`SELECT client_id, f.service_on AS day FROM people JOIN forms f USING (client_id) WHERE ${visible.inPeriod} AND ${SERVES}`
      }
      UNION ALL SELECT client_id, earlier.day FROM people CROSS JOIN LATERAL (
        SELECT f.service_on AS day FROM forms f WHERE f.client_id = people.client_id
          AND f.service_on >= ${years[0]}::date AND f.service_on < ${first} AND ${SERVES}
          AND ${notHidden(question, sql`f.client_id`)} ORDER BY f.service_on LIMIT 1) AS earlier
      UNION ALL SELECT client_id, greatest(st.entered_on, year)
      FROM people JOIN stays st USING (client_id) CROSS JOIN unnest(${years}::date[]) AS year
      WHERE greatest(st.entered_on, year) <= least(${lastNight(to)}, ${last}) AND ${notHidden(question, sql`st.client_id`)}),
    begun AS MATERIALIZED (
      SELECT client_id, min(first_on) AS first_on, min(first_on) FILTER (WHERE first_on >= ${first}) AS new_on FROM (
        SELECT client_id, min(day) AS first_on FROM days GROUP BY client_id, width_bucket(day, ${years}::date[])) AS firsts
      GROUP BY client_id)`,
    /**
     * The new clients: those whose first counted form of a year is in the period. All advocates and form types decide
     * this, regardless of filters. Only the first year can have begun before the period, so earlier forms are searched
     * only there, one per client. LIMIT keeps PostgreSQL from reading all forms of that year, as it does for EXISTS.
     * Within one year a client has one first form; without GROUP BY, PostgreSQL estimates the number of rows better.
     */
    fresh: () => {
      if (withStays)
        return sql`fresh AS MATERIALIZED (SELECT client_id, new_on FROM begun WHERE new_on IS NOT NULL)`;
      const yearStart = sql`${years[0]}::date`;
      return sql`firsts AS MATERIALIZED (${
        filters.length === 0
          ? sql`${firsts()} FROM served GROUP BY 1, 2 ORDER BY 1`
          : sql`${firsts()} FROM people JOIN forms f USING (client_id) WHERE ${visible.inPeriod} AND ${SERVES} GROUP BY 1, 2`
      }),
    fresh AS MATERIALIZED (
      SELECT client_id, ${years.length === 1 ? sql`first_on` : sql`min(first_on)`} AS new_on FROM firsts
      WHERE year > 1 OR ${yearStart} = ${first} OR (
        SELECT TRUE FROM forms f WHERE f.client_id = firsts.client_id AND f.reconciled IN (TRUE, FALSE)
          AND f.service_on >= ${yearStart} AND f.service_on < ${first} AND ${SERVES} LIMIT 1) IS NULL
      ${years.length === 1 ? empty : sql`GROUP BY client_id`})`;
    },
    untracked,
    /** True if a value of a custom field is mapped. */
    owns: mappings.some(({ kind }) => kind === "own_client" || kind === "own_form"),
    /** The mappings of these kinds, as a table. */
    mapping: (...kinds: Mapping["kind"][]) => sql`mapping AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(
        mappings
          .filter(({ kind }) => kinds.includes(kind))
          .map(({ validThrough, ...row }) => ({ ...row, validThrough: validThrough ?? "infinity" })),
      )}::jsonb) AS m(kind text, source text, "formTypeId" int, line text, "validFrom" date, "validThrough" date))`,
  };
}
type Parts = ReturnType<typeof parts>;

/** Joins a value with the mappings `m` that are valid on the day. A value without one keeps its row. */
const mapped = (kind: Sql, source: Sql, day: Sql): Sql =>
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

/** SQL for lines of all clients that only some reports have. */
// biome-ignore lint/plugin: people are counted clients
const KINDS_OF_CLIENTS = sql`UNION ALL SELECT client_id, line
    FROM people JOIN clients c ON c.id = client_id LEFT JOIN fresh n USING (client_id)
      CROSS JOIN LATERAL (VALUES (CASE WHEN n.new_on IS NULL THEN 'individuals_continuing' END),
        (CASE WHEN c.significant_other THEN 'individuals_significant_other' ELSE 'individuals_primary' END)) AS l(line)
    WHERE line IS NOT NULL`;

/**
 * SQL for the values of custom fields in `custom`, as sources of mappings: the key of a ticked box, `key:id` of a choice. A
 * number looks like a choice, but is not mapped.
 */
const ownValues = (custom: Sql): Sql => sql`LATERAL (
    SELECT CASE jsonb_typeof(one) WHEN 'number' THEN key || ':' || one::text ELSE key END AS source
    FROM jsonb_each(${custom}) AS own(key, value) CROSS JOIN LATERAL jsonb_array_elements(
      CASE jsonb_typeof(value) WHEN 'array' THEN value ELSE jsonb_build_array(value) END) AS each(one)
    WHERE jsonb_typeof(one) = 'number' OR one = 'true') AS owned`;

/** The own values on the forms of the period, of `people`. */
const ownOfForms = (visible: Pick<Parts["visible"], "inPeriod">): Sql =>
  sql`SELECT client_id, f.id AS form_id, 'own_form' AS kind, source, f.service_on AS day
      FROM people JOIN forms f USING (client_id) CROSS JOIN ${ownValues(sql`f.custom`)} WHERE ${visible.inPeriod}`;

/** The own values of `people`: those of the client as of the first counted form, and those on forms. */
// biome-ignore lint/plugin: people are counted clients
const OWN_OF_CLIENTS = sql`SELECT client_id, NULL::int AS form_id, 'own_client' AS kind, source, first_on AS day
      FROM people JOIN clients c ON c.id = client_id CROSS JOIN ${ownValues(sql`c.custom`)}`;

/** The special classifications of own values. */
const OWN_SPECIAL = sql`UNION ALL SELECT client_id, m.line FROM own_values o
      JOIN mapping m ON m.kind = o.kind AND m.source = o.source AND o.day BETWEEN m."validFrom" AND m."validThrough"
      WHERE m.line LIKE 'special%'`;

/** The clients with a value without a line, of a custom field with other values that have one. */
const OWN_GAP = sql`UNION ALL SELECT DISTINCT client_id, 'gap_ownField'
    FROM own_values o ${mapped(sql`o.kind`, sql`o.source`, sql`o.day`)}
    WHERE m.line IS NULL AND (o.kind, split_part(o.source, ':', 1)) IN (SELECT kind, split_part(source, ':', 1) FROM mapping)`;

/**
 * The line of a demographic section for a new client, and the line of its gap. Without an answer the client is not tracked
 * if the organization did not ask on the day that made the client new. An answer without a mapping is always a gap.
 */
const demographicLines = (section: keyof Untracked, hasNoAnswer: Sql, untracked: Untracked): Sql => {
  const isUntracked = sql`${hasNoAnswer} AND (new_on <@ ${untracked[section]}::datemultirange) IS TRUE`;
  const isMissing = sql`(${hasNoAnswer} OR ${identifier(section)} IS NULL)`;
  const line = (end: string) => constant(`${section}_${end}`);
  return sql`(CASE WHEN ${isUntracked} THEN ${line("not_tracked")}
          ELSE coalesce(nullif(${identifier(section)}, ${constant(NO_LINE)}), ${line("not_reported")}) END),
        (CASE WHEN ${isMissing} AND NOT (${isUntracked}) THEN ${constant(`gap_${section}`)} END)`;
};

/**
 * The race, gender, and age of each of `fresh` on the day in `new_on`. For a purged client, the stored age bracket replaces
 * the date of birth. age() makes a person born on February 29 a year older on March 1, which is how the reports count ages.
 */
const FACTS = sql`facts AS MATERIALIZED (
    SELECT n.client_id, n.new_on, race.line AS race, d.ethnicity_id IS NULL AS no_race, gender.line AS gender,
      coalesce(d.gender, 'Unknown') = 'Unknown' AS no_gender,
      CASE WHEN b.date_of_birth <= n.new_on THEN (SELECT ${AGE_LINE} FROM extract(year FROM age(n.new_on, b.date_of_birth)) AS years)
        ELSE bracket.line END AS age,
      (b.date_of_birth <= n.new_on) IS NOT TRUE
        AND coalesce(kept.age_bracket_id, d.age_bracket_id, b.age_bracket_id) IS NULL AS no_age
    FROM fresh n
      LEFT JOIN client_demographic_entries d USING (client_id)
      LEFT JOIN client_biographical_entries b USING (client_id)
      ${mappedOnce(sql`race`, "ethnicity", sql`d.ethnicity_id::text`)}
      ${mappedOnce(sql`gender`, "gender", sql`coalesce(d.gender, 'Unknown')`)}
      LEFT JOIN LATERAL (SELECT a.age_bracket_id FROM client_ages a WHERE a.client_id = n.client_id AND a.since <= n.new_on
        ORDER BY a.since DESC LIMIT 1) kept ON TRUE
      ${mappedOnce(sql`bracket`, "age_bracket", sql`coalesce(kept.age_bracket_id, d.age_bracket_id, b.age_bracket_id)::text`)})`;
const FACT_KINDS = ["ethnicity", "gender", "age_bracket"] as const;

const CHILDREN = AGE_LINES.filter(({ from }) => from < ADULT_FROM).map(({ key }) => constant(key));
const ADULTS = AGE_LINES.filter(({ from }) => from >= ADULT_FROM).map(({ key }) => constant(key));

/** The line of a new client in a report with stays, by their being in shelter and by age. */
const PLACE_LINE = sql`CASE WHEN client_id IN (SELECT client_id FROM stayed) THEN 'shelter' ELSE 'nonshelter' END
  || CASE WHEN age IN (${join(ADULTS)}) THEN '_adults' WHEN age IN (${join(CHILDREN)}) THEN '_children' ELSE '_age_unknown' END`;

/** The population, the demographics of new individuals, and the special classifications. */
const people = ({
  withStays,
  stayed,
  served,
  people,
  begun,
  fresh,
  mapping,
  visible,
  has,
  owns,
  untracked,
}: Parts) => [
  ...(withStays ? [stayed] : []),
  served,
  people,
  ...(withStays ? [begun(sql`served`)] : []),
  fresh(),
  mapping(...FACT_KINDS, "flag", "own_client", "own_form"),
  FACTS,
  sql`ticked AS MATERIALIZED (
    SELECT client_id, first_on, flag
    FROM people JOIN client_demographic_entries d USING (client_id)
      CROSS JOIN LATERAL (VALUES ${join(
        FLAGS.map((flag) => sql`(${constant(flag)}, d.${identifier(columnName(flag))})`),
      )}) AS flags(flag, is_ticked)
    WHERE is_ticked)`,
  ...(owns ? [sql`own_values AS MATERIALIZED (${OWN_OF_CLIENTS} UNION ALL ${ownOfForms(visible)})`] : []),
  sql`lines AS (
    SELECT client_id, 'individuals_served' AS line FROM people
    ${has("individuals_primary") ? KINDS_OF_CLIENTS : empty}
    UNION ALL SELECT client_id, line
    FROM facts CROSS JOIN LATERAL (VALUES ${withStays ? sql`('people_new'), (${PLACE_LINE})` : sql`('individuals_new')`},
        ${join([
          demographicLines("race", sql`no_race`, untracked),
          demographicLines("gender", sql`no_gender`, untracked),
          demographicLines("age", sql`no_age`, untracked),
        ])}) AS l(line)
    WHERE line IS NOT NULL
    UNION ALL SELECT DISTINCT client_id, line FROM (
      SELECT client_id, m.line FROM ticked ${mapped(sql`'flag'`, sql`flag`, sql`first_on`)} WHERE m.line <> ${constant(NO_LINE)}
      ${owns ? OWN_SPECIAL : empty}) AS classified
    ${owns ? OWN_GAP : empty})`,
  hits(
    ["form_id", "stay_id"],
    sql`SELECT line, s.client_id, s.form_id, s.stay_id, 1 AS times, 0 AS minutes FROM lines JOIN served s USING (client_id)`,
  ),
];

/** SQL condition: the type of form `f` has or had the survivor section. This is known before the section is read. */
const HAS_SURVIVOR = sql`f.form_type_id = ANY(ARRAY(SELECT id FROM form_types WHERE survivor_entry OR 'survivorEntry' = ANY(former_flags)))`;

/** The victimizations of own values on the forms of the period. */
const ownVictimizations = (visible: Parts["visible"]): Sql =>
  sql`UNION SELECT m.line, client_id, form_id FROM (${ownOfForms(visible)}) AS o
      JOIN mapping m ON m.kind = o.kind AND m.source = o.source AND o.day BETWEEN m."validFrom" AND m."validThrough"
      WHERE m.line LIKE 'victim%'`;

const victimization = ({ served, people, mapping, visible, owns, from, to }: Parts) => [
  served,
  people,
  mapping("victimization", "victimization_other", "hate_crime", "offender_relationship", "own_form"),
  // biome-ignore lint/plugin: people are counted clients
  sql`recent AS MATERIALIZED (
    SELECT v.*, f.id AS form_id, f.client_id, f.service_on
    FROM people JOIN forms f USING (client_id) JOIN intake_forms i ON i.form_id = f.id
      JOIN survivor_entries v ON v.intake_form_id = i.id
    WHERE f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${from} AND ${to} AND ${HAS_SURVIVOR})`,
  // The index returns a client's forms backwards, separately for both states, until one has the section. Most forms
  // have none, which the type in that index shows.
  // biome-ignore lint/plugin: people are counted clients
  sql`entries AS MATERIALIZED (
    SELECT * FROM recent
    UNION ALL SELECT earlier.* FROM people CROSS JOIN LATERAL (
      SELECT latest.* FROM (VALUES (TRUE), (FALSE)) AS state(reconciled) CROSS JOIN LATERAL (
        SELECT v.*, f.id AS form_id, f.client_id, f.service_on
        FROM forms f JOIN intake_forms i ON i.form_id = f.id JOIN survivor_entries v ON v.intake_form_id = i.id
        WHERE f.client_id = people.client_id AND f.reconciled = state.reconciled AND f.service_on < ${from}
          AND ${HAS_SURVIVOR}
        ORDER BY f.service_on DESC, f.id DESC LIMIT 1) AS latest
      ORDER BY latest.service_on DESC, latest.form_id DESC LIMIT 1) AS earlier
    WHERE people.client_id NOT IN (SELECT client_id FROM recent))`,
  sql`sources AS (
    SELECT client_id, form_id, service_on, 'victimization' AS kind, secondary_victimization_id::text AS source
      FROM entries JOIN survivor_entry_secondary_victimizations ON survivor_entry_id = entries.id
    UNION ALL SELECT client_id, form_id, service_on, 'victimization_other', ${constant(ANY_VALUE)}
      FROM entries WHERE btrim(secondary_victimization_other) <> ''
    UNION ALL SELECT client_id, form_id, service_on, 'hate_crime', ${constant(ANY_VALUE)}
      FROM entries WHERE hate_crime_category_id IS NOT NULL
    UNION ALL SELECT client_id, form_id, service_on, 'offender_relationship', offender_relationship_id::text FROM entries)`,
  sql`found AS MATERIALIZED (
    SELECT DISTINCT coalesce(m.line, 'gap_victimization') AS line, s.client_id, s.form_id
    FROM sources s ${mapped(sql`s.kind`, sql`s.source`, sql`s.service_on`)}
    WHERE m.line IS DISTINCT FROM ${constant(NO_LINE)}
    ${owns ? ownVictimizations(visible) : empty})`,
  hits(
    ["form_id"],
    sql`SELECT line, client_id, form_id, 1 AS times, 0 AS minutes FROM found
    UNION ALL SELECT 'victim_multiple', client_id, form_id, 1, 0 FROM found
      WHERE line LIKE 'victim%' AND client_id IN (
        SELECT client_id FROM found WHERE line LIKE 'victim%' GROUP BY client_id HAVING count(DISTINCT line) > 1)
      GROUP BY client_id, form_id
    UNION ALL SELECT 'gap_victimization', client_id, form_id, 1, 0 FROM entries
      WHERE client_id NOT IN (SELECT client_id FROM found)
    UNION ALL SELECT 'gap_victimization', client_id, form_id, 1, 0 FROM served
      WHERE client_id NOT IN (SELECT client_id FROM entries UNION ALL SELECT client_id FROM found)`,
  ),
];

/**
 * The forms that decide the VAWA lines: those of primary victims that count, plus all Not Served ones of the period.
 * Filters choose only the counted forms (docs/decisions/019-count-and-list-from-the-same-rows.md).
 */
const regarded = (visible: Parts["visible"]) => sql`regarded AS MATERIALIZED (
    SELECT r.* FROM (
      SELECT form_id, client_id, service_status FROM served
      UNION ALL SELECT f.id, f.client_id, f.service_status FROM forms f
        WHERE ${visible.inPeriod} AND f.service_status = 'Not Served'
    ) AS r JOIN clients c ON c.id = r.client_id WHERE NOT c.significant_other)`;

const VAWA_HITS = sql`UNION ALL SELECT CASE WHEN bool_and(service_status = 'Served') OVER person THEN 'vawa_served'
        WHEN bool_and(service_status = 'Not Served') OVER person THEN 'vawa_not_served'
        ELSE 'vawa_partially_served' END, client_id, form_id, 1, 0
      FROM regarded WINDOW person AS (PARTITION BY client_id)
    UNION ALL SELECT reasons.line, r.client_id, r.form_id, 1, 0
      FROM regarded r JOIN service_status_entries e USING (form_id)
        CROSS JOIN LATERAL (VALUES ${join(
          Object.entries(REASON_LINES).map(
            ([flag, line]) => sql`(e.${identifier(columnName(flag))}, ${constant(line)})`,
          ),
        )}) AS reasons(ticked, line)
      WHERE r.service_status <> 'Served' AND ticked`;

/**
 * SQL condition: form `u` has Other Service minutes. Checked per form, because few forms have no minutes of a code.
 */
const HAS_OTHER = sql`(SELECT o.other_service_minutes FROM service_entries o WHERE o.form_id = u.form_id) > 0`;

/** The counted service rows, and the lines of their codes on each day. `kinds` are other mappings that a block needs. */
const coded = ({ mapping, visible }: Pick<Parts, "mapping" | "visible">, ...kinds: Mapping["kind"][]) => [
  sql`counted AS MATERIALIZED (
    SELECT f.id AS form_id, f.client_id, f.form_type_id, f.service_on, f.service_status, p.service_code_id, p.minutes
    FROM forms f JOIN service_entries e ON e.form_id = f.id JOIN service_provided_entries p ON p.service_entry_id = e.id
    WHERE ${visible.chosen} AND f.service_status <> 'Not Served' AND p.minutes > 0)`,
  mapping("service_code", ...kinds),
  // The lines of a code are looked up once per day and form type, not per row. A mapping for the form's type takes
  // precedence over one for all types.
  sql`meaning AS MATERIALIZED (
    SELECT service_code_id, form_type_id, service_on, coalesce(line, 'gap_serviceCode') AS line FROM (
      SELECT u.*, m.line, m."formTypeId", bool_or(m."formTypeId" IS NOT NULL) OVER same AS has_own
      FROM (SELECT DISTINCT service_code_id, form_type_id, service_on FROM counted) AS u
        ${mapped(sql`'service_code'`, sql`u.service_code_id::text`, sql`u.service_on`)}
          AND (m."formTypeId" IS NULL OR m."formTypeId" = u.form_type_id)
      WINDOW same AS (PARTITION BY u.service_code_id, u.form_type_id, u.service_on)
    ) AS candidates WHERE ("formTypeId" IS NOT NULL) = has_own)`,
];

/**
 * Services by code, the minutes, and the VAWA lines of a report that has them, which also use Not Served forms.
 */
const services = ({ visible, has, ...parts }: Parts) => [
  ...coded({ visible, ...parts }),
  sql`served AS MATERIALIZED (
    SELECT form_id, client_id, service_status, sum(minutes)::int AS minutes FROM counted GROUP BY 1, 2, 3)`,
  // Numbers come first in GROUP BY, because sorting by them is faster than by text.
  sql`on_lines AS MATERIALIZED (
    SELECT line, client_id, form_id, count(*)::int AS times, sum(minutes)::int AS minutes
    FROM counted JOIN meaning USING (service_code_id, form_type_id, service_on)
    WHERE line <> ${constant(NO_LINE)} GROUP BY form_id, client_id, line)`,
  sql`unserved AS MATERIALIZED (
    SELECT f.id AS form_id, f.client_id, f.form_type_id FROM forms f
    WHERE ${visible.chosen} AND f.service_status <> 'Not Served' AND NOT EXISTS (SELECT FROM served WHERE served.form_id = f.id))`,
  ...(has("vawa_served") ? [regarded(visible)] : []),
  hits(
    ["form_id"],
    sql`SELECT line, client_id, form_id, times, minutes FROM on_lines
    UNION ALL SELECT left(line, 1) || '_individuals', client_id, form_id, 1, 0
      FROM on_lines WHERE substr(line, 2, 1) BETWEEN '0' AND '9' GROUP BY form_id, client_id, left(line, 1)
    UNION ALL SELECT 'service_minutes', client_id, form_id, 0, minutes FROM served
    UNION ALL SELECT CASE WHEN ${HAS_OTHER} THEN 'gap_otherService' ELSE 'gap_minutes' END,
        u.client_id, u.form_id, 0, 0
      FROM unserved u JOIN form_types t ON t.id = u.form_type_id
      WHERE t.service_entry
    ${has("vawa_served") ? VAWA_HITS : empty}`,
  ),
];

const contacts = ({ contacts, lines }: Parts) => [
  contacts,
  hits(
    ["contact_id"],
    sql`SELECT line, contact_id, times, 0 AS minutes
    FROM calls CROSS JOIN LATERAL (VALUES ('anonymous_contacts', CASE WHEN is_linked THEN 0 ELSE number END),
        ('hotline_contacts', CASE WHEN counts_as_hotline THEN number ELSE 0 END),
        ('unmet_requests', CASE turned_away_reason WHEN 'capacity' THEN number ELSE 0 END),
        ('unmet_adults', CASE turned_away_reason WHEN 'capacity' THEN adults ELSE 0 END)) AS l(line, times)
    WHERE times > 0 AND line = ANY(${lines("contacts")}::text[])`,
  ),
];

const shelter = ({ stayed, visible, from, to }: Parts) => [
  stayed,
  hits(
    ["stay_id"],
    sql`SELECT line, client_id, stay_id, times, 0 AS minutes
    FROM stayed CROSS JOIN LATERAL (VALUES ('shelter_people', 1), ('shelter_nights', people * nights)) AS l(line, times)
    WHERE is_chosen
    UNION ALL SELECT line, st.client_id, st.id, times, 0
    FROM stays st CROSS JOIN LATERAL (VALUES ('stays_begun', 1), ('accompanying_adults', st.adults),
        ('accompanying_children', st.children_thirteen_to_seventeen + st.children_under_thirteen)) AS l(line, times)
    WHERE st.entered_on BETWEEN ${from} AND ${to} AND times > 0 AND ${visible.stays}
    UNION ALL SELECT 'gap_openStay', st.client_id, st.id, 0, 0 FROM stays st
    WHERE ${isLongOpen()} AND st.entered_on <= ${to} AND ${visible.stays}`,
  ),
];

/** The service rows of adults and of children that are mapped to the section's lines. A row counts once. */
const advocacy = (parts: Parts) => [
  ...coded(parts, ...FACT_KINDS),
  sql`advocated AS MATERIALIZED (
    SELECT client_id, form_id, count(*)::int AS times FROM counted JOIN (
      SELECT DISTINCT service_code_id, form_type_id, service_on FROM meaning
      WHERE line = ANY(${ADVOCACY_LINES.map(({ key }) => key)}::text[])) AS m
      USING (service_code_id, form_type_id, service_on)
    GROUP BY form_id, client_id)`,
  sql`people AS MATERIALIZED (SELECT DISTINCT client_id FROM advocated ORDER BY client_id)`,
  parts.begun(sql`counted`),
  // A client who is not new has the age of the day on which they were.
  sql`fresh AS MATERIALIZED (SELECT client_id, coalesce(new_on, first_on) AS new_on FROM begun)`,
  FACTS,
  hits(
    ["form_id"],
    sql`SELECT 'advocacy_' || CASE WHEN age IN (${join(CHILDREN)}) THEN 'children' ELSE 'adults' END || unit AS line,
      client_id, form_id, times, 0 AS minutes
    FROM advocated JOIN facts USING (client_id) CROSS JOIN (VALUES ('_individuals'), ('_times')) AS units(unit)`,
  ),
];

/**
 * SQL that sums a block by line and client. For the lines in `sums`, which do not count clients, it sums only by line
 * (`person` is null). In the people block each client is on a line only once, so its records are not joined and grouped.
 */
export const countsOf = (block: BlockName, sums: readonly string[]): Sql =>
  block === "people"
    ? sql`SELECT line, client_id AS person, records, 0 AS times, 0 AS minutes FROM lines JOIN people USING (client_id)`
    : sql`SELECT line, CASE WHEN line = ANY(${sums}::text[]) THEN NULL ELSE client_id END AS person,
         count(*) AS records, sum(times) AS times, sum(minutes) AS minutes FROM hits GROUP BY line, person`;

const blocks: Record<BlockName, (parts: Parts) => Sql[]> = {
  ...{ people, victimization, services, contacts, shelter, advocacy },
};

/** Returns the WITH clause of a block, whose last part is `hits`. The caller appends a query on it. */
export const hitsOf = (block: BlockName, question: Question): Sql =>
  sql`WITH ${join(blocks[block](parts(question)))}`;
