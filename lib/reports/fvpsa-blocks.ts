import "server-only";
import { constant, empty, join, type Sql, sql } from "@/lib/core/sql";
import { today } from "@/lib/core/text/format";
import { HOTLINE_LINE, SHELTER_LINE } from "@/lib/lookups/report-lines";
import {
  type Block,
  countedRows,
  customOfForms,
  demographicLines,
  FACT_KINDS,
  factsOn,
  gap,
  HAS_SURVIVOR,
  linesOfCodes,
  mapped,
  type Parts,
  peopleOf,
  SERVES,
  SHELTER_SERVICE,
  VICTIMIZATION_KINDS,
  VICTIMIZATIONS,
} from "@/lib/reports/block-parts";
import { ADULT_FROM, AGE_LINES, GROUP_LINE, INDIVIDUAL_LINE } from "@/lib/reports/definitions";
import { isLongOpen } from "@/lib/shelter/list";
import { lastNight } from "@/lib/shelter/nights-by-stay";

// The SQL of the FVPSA report, whose rules docs/reference/reports.md explains.

/** The lines of victimization that put a client in scope. */
const FAMILY = join(["victim_domestic_family_violence", "victim_teen_dating"].map(constant));

const HOTLINE = constant(HOTLINE_LINE);
const GROUP = constant(GROUP_LINE);

/** The numbers of the periods in `periods`: the part of the year before `from`, and the whole period. */
const BEFORE = sql`0`;
const WHOLE = sql`-1`;

/**
 * The periods for which activity and scope are decided: the days before `from` in its fiscal year, the part of the period in
 * each fiscal year, numbered from 1, and the whole period.
 */
function periodsOf({ years, from, to }: Parts): Sql {
  const parts = years.map((year, at) => {
    const next = years[at + 1];
    const last = next ? sql`${next}::date - 1` : to;
    return sql`(${at + 1}::int, greatest(${year}::date, ${from}), ${last})`;
  });
  return sql`periods (number, first, last) AS (
    SELECT * FROM (VALUES (${BEFORE}::int, ${years[0]}::date, ${from} - 1), (${WHOLE}::int, ${from}, ${to}), ${join(parts)}) AS all_periods
    WHERE column2 <= column3)`;
}

/**
 * The clients with a counted form or a night under the filters (`people`), and the records that count for them (`counted_records`).
 * `states` has a row for each of them and each of `periods` in which they are active: the first day, and whether they are in
 * scope and in shelter. `scopes` has a row for each of them: `new_on` is the day that made them new, `first_on` the first day of
 * the year. `facts` has the demographics of those in scope.
 */
const scope = (parts: Parts): Sql[] => {
  const { visible, isFiltered, hasCustom, mapping, nightsSince, years, from, to } = parts;
  const yearStart = sql`${years[0]}::date`;
  return [
    mapping(...FACT_KINDS, ...VICTIMIZATION_KINDS, "shelter", "service_code", "fvpsa_service"),
    periodsOf(parts),
    nightsSince(yearStart),
    sql`counted_records AS MATERIALIZED (
      SELECT f.id AS form_id, NULL::int AS stay_id, f.client_id, f.service_on FROM forms f WHERE ${visible.chosen} AND ${SERVES}
      UNION ALL SELECT NULL, st.id, st.client_id, min(night) FROM counted_nights JOIN stays st ON st.id = stay_id
        WHERE night >= ${from} AND ${visible.stays} GROUP BY st.id)`,
    peopleOf(sql`counted_records`),
    // Of all advocates and form types. Of the forms before the period, the first of each client is enough.
    sql`days AS MATERIALIZED (
      ${
        isFiltered
          ? sql`SELECT client_id, f.service_on AS day, FALSE AS is_night FROM people JOIN forms f USING (client_id)
              WHERE ${visible.inPeriod} AND ${SERVES}`
          : sql`SELECT client_id, service_on AS day, FALSE AS is_night FROM counted_records WHERE form_id IS NOT NULL`
      }
      UNION ALL SELECT client_id, earlier.day, FALSE FROM people CROSS JOIN LATERAL (
        SELECT f.service_on AS day FROM forms f WHERE f.client_id = people.client_id AND f.reconciled IN (TRUE, FALSE)
          AND f.service_on >= ${yearStart} AND f.service_on < ${from} AND ${SERVES} ORDER BY f.service_on LIMIT 1) AS earlier
      UNION ALL SELECT client_id, night, TRUE FROM people JOIN counted_nights USING (client_id))`,
    sql`activity AS MATERIALIZED (
      SELECT client_id, number, min(day) AS day, bool_or(is_night) AS sleeps
      FROM days JOIN periods ON day BETWEEN first AND last GROUP BY client_id, number)`,
    // biome-ignore lint/plugin: people are counted clients
    sql`entries AS MATERIALIZED (
      SELECT v.*, f.id AS form_id, f.client_id, f.service_on
      FROM people JOIN forms f USING (client_id) JOIN intake_forms i ON i.form_id = f.id
        JOIN survivor_entries v ON v.intake_form_id = i.id
      WHERE f.reconciled IN (TRUE, FALSE) AND f.service_on <= ${to} AND ${HAS_SURVIVOR})`,
    sql`sources AS (${VICTIMIZATIONS})`,
    // Each entry has a row of sources. An entry without a line still replaces earlier ones.
    sql`entry_scopes AS MATERIALIZED (
      SELECT client_id, form_id, service_on, coalesce(bool_or(m.line IN (${FAMILY})), FALSE) AS is_family,
        coalesce(bool_or(starts_with(m.line, 'victim')), FALSE) AS has_line
      FROM sources s ${mapped(sql`s.kind`, sql`s.source`, sql`service_on`)}
      GROUP BY client_id, form_id, service_on)`,
    sql`period_scopes AS MATERIALIZED (
      SELECT client_id, number, bool_or(is_family) AS is_family, bool_or(has_line) AS has_line
      FROM entry_scopes JOIN periods ON service_on BETWEEN first AND last GROUP BY client_id, number)`,
    sql`earlier_scopes AS MATERIALIZED (
      SELECT DISTINCT ON (client_id, number) client_id, number, is_family, has_line
      FROM entry_scopes JOIN periods ON service_on < first ORDER BY client_id, number, service_on DESC, form_id DESC)`,
    ...(hasCustom ? [customVictims(parts)] : []),
    sql`states AS MATERIALIZED (
      SELECT client_id, number, day, sleeps, sleeps OR is_family OR NOT has_line AS is_in_scope,
        NOT sleeps AND NOT has_line AS is_unknown
      FROM (
        SELECT activity.*, coalesce(inside.is_family, earlier.is_family, FALSE) ${hasCustom ? sql`OR coalesce(custom_victims.is_family, FALSE)` : empty} AS is_family,
          coalesce(inside.has_line, earlier.has_line, FALSE) ${hasCustom ? sql`OR custom_victims.client_id IS NOT NULL` : empty} AS has_line
        FROM activity LEFT JOIN period_scopes inside USING (client_id, number)
          LEFT JOIN earlier_scopes earlier USING (client_id, number)
          ${hasCustom ? sql`LEFT JOIN custom_victims USING (client_id, number)` : empty}) AS judged)`,
    // One row for each client, so that nothing below joins periods: PostgreSQL expects one row of such a join, and loops.
    sql`scopes AS MATERIALIZED (
      SELECT client_id, is_in_scope, is_unknown, sleeps, was_in_scope AND NOT slept_before AS was_outside, first_on,
        CASE WHEN is_in_scope THEN least(CASE WHEN NOT was_in_scope THEN first_part END, later_part) END AS new_on
      FROM (SELECT client_id, min(day) AS first_on,
          bool_or(is_in_scope) FILTER (WHERE number = ${WHOLE}) AS is_in_scope,
          bool_or(is_unknown) FILTER (WHERE number = ${WHOLE}) AS is_unknown,
          bool_or(sleeps) FILTER (WHERE number = ${WHOLE}) AS sleeps,
          coalesce(bool_or(is_in_scope) FILTER (WHERE number = ${BEFORE}), FALSE) AS was_in_scope,
          coalesce(bool_or(sleeps) FILTER (WHERE number = ${BEFORE}), FALSE) AS slept_before,
          min(day) FILTER (WHERE number = 1 AND is_in_scope) AS first_part,
          min(day) FILTER (WHERE number > 1 AND is_in_scope) AS later_part
        FROM states GROUP BY client_id) AS by_client)`,
    // A client who is not new has the age of their first day of the year.
    factsOn(
      "sex",
      sql`(SELECT client_id, sleeps, new_on IS NOT NULL AS is_new, coalesce(new_on, first_on) AS new_on FROM scopes WHERE is_in_scope)`,
    ),
  ];
};

/** The clients with a line of victimization by a custom value on a form of the period. */
const customVictims = ({ years, to }: Parts): Sql =>
  sql`custom_victims AS MATERIALIZED (
      SELECT client_id, number, bool_or(m.line IN (${FAMILY})) AS is_family
      FROM (${customOfForms(sql`f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${years[0]}::date AND ${to}`)}) AS o
        JOIN mapping m ON m.kind = o.kind AND m.source = o.source AND o.day BETWEEN m."validFrom" AND m."validThrough"
        JOIN periods ON o.day BETWEEN first AND last
      WHERE starts_with(m.line, 'victim') GROUP BY client_id, number)`;

const CHILDREN = AGE_LINES.filter(({ from }) => from < ADULT_FROM).map(({ key }) => constant(key));
const ADULTS = AGE_LINES.filter(({ from }) => from >= ADULT_FROM).map(({ key }) => constant(key));

/** The line of a new client by their being in shelter and by age. */
const PLACE_LINE = sql`CASE WHEN sleeps THEN 'shelter' ELSE 'nonshelter' END
  || CASE WHEN age IN (${join(ADULTS)}) THEN '_adults' WHEN age IN (${join(CHILDREN)}) THEN '_children' ELSE '_age_unknown' END`;

/** SELECT of the clients with a night of a stay under the filters in the part of the period that is in its first year. */
const inShelter = ({ visible, from }: Parts): Sql =>
  sql`SELECT st.client_id FROM counted_nights JOIN stays st ON st.id = stay_id
      WHERE night BETWEEN ${from} AND (SELECT last FROM periods WHERE number = 1) AND ${visible.stays}`;

/** The new clients, their demographics, and the clients who are not counted. */
const victims: Block = {
  shared: scope,
  of: (parts) => ({
    parts: [],
    records: { form: sql`form_id`, stay: sql`stay_id`, from: sql`counted_records` },
    rows: [
      { line: "people_new", once: true, from: sql`facts WHERE is_new` },
      { line: PLACE_LINE, once: true, from: sql`facts WHERE is_new` },
      {
        line: sql`line`,
        once: true,
        from: sql`facts CROSS JOIN LATERAL (VALUES ${join([
          demographicLines("race", sql`no_race`, parts.untracked),
          demographicLines("sex", sql`no_gender`, parts.untracked),
          demographicLines("age", sql`no_age`, parts.untracked),
        ])}) AS demographics(line) WHERE line IS NOT NULL AND is_new`,
      },
      { line: "people_other_crimes", once: true, from: sql`scopes WHERE NOT is_in_scope` },
      { line: gap("victimization"), once: true, from: sql`scopes WHERE is_unknown` },
      {
        line: "moved_into_shelter",
        once: true,
        // IS TRUE makes PostgreSQL look each client up in a hash. A join would loop, because it expects one client.
        from: sql`scopes WHERE was_outside AND (client_id IN (${inShelter(parts)})) IS TRUE`,
      },
    ],
  }),
};

/** The people of the stay `st` who came along. */
const ALONG_CHILDREN = sql`st.children_thirteen_to_seventeen + st.children_under_thirteen`;
const ALONG = sql`st.adults + ${ALONG_CHILDREN}`;

/** The nights in shelter, the stays that begin, and the people who came along. */
const shelter: Block = {
  of: ({ nightsSince, mapping, visible, years, from, to }) => {
    const ofStay = { client: sql`st.client_id`, stay: sql`st.id` };
    const inPeriod = sql`stay_nights n JOIN stays st ON st.id = n.stay_id WHERE ${visible.stays}`;
    const companions = sql`companions JOIN stays st ON st.id = stay_id
        WHERE night BETWEEN ${from} AND ${to} AND ${visible.stays}`;
    return {
      parts: [
        mapping("shelter"),
        // With the night before the year, which decides if a stay begins on its first day.
        nightsSince(sql`${years[0]}::date - 1`),
        sql`night_sequence AS MATERIALIZED (
          SELECT client_id, stay_id, night, width_bucket(night, ${years}::date[]) AS year,
            lag(night) OVER (PARTITION BY client_id ORDER BY night) IS DISTINCT FROM night - 1 AS begins
          FROM counted_nights)`,
        sql`stay_nights AS MATERIALIZED (
          SELECT client_id, stay_id, count(*)::int AS nights, count(*) FILTER (WHERE begins)::int AS begun
          FROM night_sequence WHERE night BETWEEN ${from} AND ${to} GROUP BY client_id, stay_id)`,
        // Each client's first stay of a year in which someone came along, with its first night of that year.
        sql`companions AS MATERIALIZED (
          SELECT DISTINCT ON (client_id, year) client_id, stay_id, night FROM (
            SELECT n.client_id, year, stay_id, min(night) AS night FROM night_sequence n JOIN stays st ON st.id = stay_id
            WHERE year > 0 AND ${ALONG} > 0 AND ${visible.allStays}
            GROUP BY n.client_id, year, stay_id) AS first_nights
          ORDER BY client_id, year, night)`,
      ],
      rows: [
        { line: "shelter_people", ...ofStay, from: inPeriod },
        { line: "stays_begun", ...ofStay, times: sql`begun`, from: sql`${inPeriod} AND begun > 0` },
        { line: "shelter_nights", ...ofStay, times: sql`nights * (1 + ${ALONG})`, from: inPeriod },
        {
          line: "along_adults",
          ...ofStay,
          times: sql`sum(st.adults)::int`,
          from: sql`${companions} AND st.adults > 0 GROUP BY st.id`,
        },
        {
          line: "along_children",
          ...ofStay,
          times: sql`sum(${ALONG_CHILDREN})::int`,
          from: sql`${companions} AND ${ALONG_CHILDREN} > 0 GROUP BY st.id`,
        },
        {
          line: gap("openStay"),
          ...ofStay,
          from: sql`stays st JOIN mapping m ON m.source = st.shelter_id::text AND m.line = ${constant(SHELTER_LINE)}
              AND least(${to}, ${today()}::date) BETWEEN m."validFrom" AND m."validThrough"
            WHERE ${isLongOpen()} AND st.entered_on <= ${to} AND ${visible.stays}`,
        },
      ],
    };
  },
};

/** Returns the rows of contacts that were turned away for lack of beds, with what each adds to the line. */
const unmetRows = (line: string, amount: Sql) => ({
  line,
  client: sql`NULL::int`,
  contact: sql`contact_id`,
  times: amount,
  from: sql`calls WHERE turned_away_reason = 'capacity' AND ${amount} > 0`,
});

/** The requests for shelter that were turned away, and the hotline. */
const calls: Block = {
  of: ({ contacts, mapping, visible }) => ({
    parts: [
      mapping("contact_kind", "form_type"),
      contacts,
      // A contact that is linked to a form replaces it, whatever the filters.
      sql`phone_forms AS MATERIALIZED (
        SELECT f.id AS form_id, f.client_id FROM forms f JOIN mapping m ON m.kind = 'form_type' AND m.source = f.form_type_id::text
          AND m.line = ${HOTLINE} AND f.service_on BETWEEN m."validFrom" AND m."validThrough"
        WHERE ${visible.chosen} AND NOT EXISTS (
          SELECT FROM contacts ct JOIN mapping k ON k.kind = 'contact_kind' AND k.source = ct.contact_kind_id::text
            AND k.line = ${HOTLINE} AND ct.contacted_on BETWEEN k."validFrom" AND k."validThrough"
          WHERE ct.form_id = f.id))`,
    ],
    rows: [
      {
        line: "hotline_contacts",
        client: sql`NULL::int`,
        contact: sql`contact_id`,
        times: sql`number`,
        from: sql`calls JOIN mapping m ON m.kind = 'contact_kind' AND m.source = contact_kind_id::text
          AND m.line = ${HOTLINE} AND contacted_on BETWEEN m."validFrom" AND m."validThrough" WHERE number > 0`,
      },
      { line: "hotline_contacts", form: sql`form_id`, from: sql`phone_forms` },
      unmetRows("unmet_requests", sql`number`),
      unmetRows("unmet_adults", sql`adults`),
      unmetRows("unmet_children", sql`children`),
    ],
  }),
};

/** The line of the clients with individual counseling. */
export const COUNSELED = "counseled";

/** The service rows of adults and of children in scope, by the kind of service. */
const advocacy: Block = {
  shared: scope,
  of: ({ visible }) => ({
    parts: [
      // With the age, because PostgreSQL expects one row of the join with lines, and would loop over all clients.
      sql`service_rows AS MATERIALIZED (
        SELECT c.*, facts.client_id IS NOT NULL AS is_in_scope, age FROM (${countedRows(visible.chosen)}) AS c LEFT JOIN facts USING (client_id))`,
      sql`code_lines AS MATERIALIZED (${linesOfCodes("fvpsa_service", sql`service_rows`)})`,
      sql`shelter_code_lines AS MATERIALIZED (${linesOfCodes("service_code", sql`service_rows`)})`,
      sql`advocacy_forms AS MATERIALIZED (
        SELECT line, client_id, form_id, bool_or(is_in_scope) AS is_in_scope, min(age) AS age, count(*)::int AS times
        FROM service_rows JOIN code_lines USING (service_code_id, form_type_id, service_on)
        WHERE line IN (${constant(INDIVIDUAL_LINE)}, ${GROUP}, ${gap("serviceCode")}) GROUP BY form_id, client_id, line)`,
    ],
    rows: [
      {
        line: sql`CASE line WHEN ${GROUP} THEN 'groups_' ELSE 'advocacy_' END
          || CASE WHEN age IN (${join(CHILDREN)}) THEN 'children' ELSE 'adults' END || unit`,
        form: sql`form_id`,
        times: sql`times`,
        from: sql`advocacy_forms CROSS JOIN (VALUES ('_individuals'), ('_times')) AS units(unit)
          WHERE line <> ${gap("serviceCode")} AND is_in_scope`,
      },
      // The clients who could have answered a card about counseling. The line is not shown.
      {
        line: COUNSELED,
        form: sql`form_id`,
        from: sql`service_rows JOIN shelter_code_lines USING (service_code_id, form_type_id, service_on)
          WHERE line = 'c4_individual_counseling' AND is_in_scope GROUP BY form_id, client_id`,
      },
      {
        line: gap("serviceCode"),
        form: sql`form_id`,
        from: sql`advocacy_forms WHERE line = ${gap("serviceCode")}`,
      },
      {
        line: gap("shelterStay"),
        form: sql`form_id`,
        from: sql`service_rows s JOIN shelter_code_lines USING (service_code_id, form_type_id, service_on)
          WHERE line = ${SHELTER_SERVICE} AND NOT EXISTS (
            SELECT FROM stays st WHERE st.client_id = s.client_id AND ${visible.allStays}
              AND st.entered_on <= least(s.service_on, ${today()}::date) AND ${lastNight()} >= s.service_on - 1)
          GROUP BY form_id, client_id`,
      },
    ],
  }),
};

export const fvpsaBlocks = { victims, shelter, advocacy, calls };
