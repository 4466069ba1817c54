import "server-only";
import { constant, empty, join, type Sql, sql } from "@/lib/core/database/sql";
import { today } from "@/lib/core/fields/format";
import { HOTLINE_LINE, SHELTER_LINE } from "@/lib/lookups/report-lines";
import {
  type Block,
  countedRows,
  demographicLines,
  FACT_KINDS,
  factsOn,
  HAS_SURVIVOR,
  hits,
  linesOfCodes,
  mapped,
  ownOfForms,
  type Parts,
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

const [HOTLINE, GROUP] = [constant(HOTLINE_LINE), constant(GROUP_LINE)];

/** The numbers of the periods in `periods`: the part of the year before `from`, and the whole period. */
const [BEFORE, WHOLE] = [sql`0`, sql`-1`];

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
 * The clients with a counted form or a night under the filters (`people`), and the records that count for them (`served`).
 * `states` has a row for each of them and each of `periods` in which they are active: the first day, and whether they are in
 * scope and in shelter. `scoped` has a row for each of them: `new_on` is the day that made them new, `first_on` the first day of
 * the year. `facts` has the demographics of those in scope.
 */
const scope = (parts: Parts): Sql[] => {
  const { visible, isFiltered, owns, mapping, slept, years, from, to } = parts;
  const yearStart = sql`${years[0]}::date`;
  return [
    mapping(...FACT_KINDS, ...VICTIMIZATION_KINDS, "shelter", "service_code", "fvpsa_service"),
    periodsOf(parts),
    slept(yearStart),
    sql`served AS MATERIALIZED (
      SELECT f.id AS form_id, NULL::int AS stay_id, f.client_id, f.service_on FROM forms f WHERE ${visible.chosen} AND ${SERVES}
      UNION ALL SELECT NULL, st.id, st.client_id, min(night) FROM slept JOIN stays st ON st.id = stay_id
        WHERE night >= ${from} AND ${visible.stays} GROUP BY st.id)`,
    sql`people AS MATERIALIZED (SELECT client_id, count(*) AS records FROM served GROUP BY client_id ORDER BY client_id)`,
    // Of all advocates and form types. Of the forms before the period, the first of each client is enough.
    sql`days AS MATERIALIZED (
      ${
        isFiltered
          ? sql`SELECT client_id, f.service_on AS day, FALSE AS is_night FROM people JOIN forms f USING (client_id)
              WHERE ${visible.inPeriod} AND ${SERVES}`
          : sql`SELECT client_id, service_on AS day, FALSE AS is_night FROM served WHERE form_id IS NOT NULL`
      }
      UNION ALL SELECT client_id, earlier.day, FALSE FROM people CROSS JOIN LATERAL (
        SELECT f.service_on AS day FROM forms f WHERE f.client_id = people.client_id AND f.reconciled IN (TRUE, FALSE)
          AND f.service_on >= ${yearStart} AND f.service_on < ${from} AND ${SERVES} ORDER BY f.service_on LIMIT 1) AS earlier
      UNION ALL SELECT client_id, night, TRUE FROM people JOIN slept USING (client_id))`,
    sql`active AS MATERIALIZED (
      SELECT client_id, number, min(day) AS day, bool_or(is_night) AS sleeps
      FROM days JOIN periods ON day BETWEEN first AND last GROUP BY client_id, number)`,
    // biome-ignore lint/plugin: people are counted clients
    sql`entries AS MATERIALIZED (
      SELECT v.*, f.id AS form_id, f.client_id, f.service_on
      FROM people JOIN forms f USING (client_id) JOIN intake_forms i ON i.form_id = f.id
        JOIN survivor_entries v ON v.intake_form_id = i.id
      WHERE f.reconciled IN (TRUE, FALSE) AND f.service_on <= ${to} AND ${HAS_SURVIVOR})`,
    sql`sources AS (${VICTIMIZATIONS})`,
    // An entry without a line still replaces earlier ones.
    sql`entered AS MATERIALIZED (
      SELECT e.client_id, e.form_id, e.service_on, coalesce(bool_or(m.line IN (${FAMILY})), FALSE) AS is_family,
        coalesce(bool_or(starts_with(m.line, 'victim')), FALSE) AS has_line
      FROM entries e JOIN sources s USING (client_id, form_id) ${mapped(sql`s.kind`, sql`s.source`, sql`s.service_on`)}
      GROUP BY e.client_id, e.form_id, e.service_on)`,
    sql`known AS MATERIALIZED (
      SELECT client_id, number, bool_or(is_family) AS is_family, bool_or(has_line) AS has_line
      FROM entered JOIN periods ON service_on BETWEEN first AND last GROUP BY client_id, number)`,
    sql`latest AS MATERIALIZED (
      SELECT DISTINCT ON (client_id, number) client_id, number, is_family, has_line
      FROM entered JOIN periods ON service_on < first ORDER BY client_id, number, service_on DESC, form_id DESC)`,
    ...(owns ? [ownVictims(parts)] : []),
    sql`states AS MATERIALIZED (
      SELECT client_id, number, day, sleeps, sleeps OR is_family OR NOT has_line AS is_in_scope,
        NOT sleeps AND NOT has_line AS is_unknown
      FROM (
        SELECT active.*, coalesce(known.is_family, latest.is_family, FALSE) ${owns ? sql`OR coalesce(own_victims.is_family, FALSE)` : empty} AS is_family,
          coalesce(known.has_line, latest.has_line, FALSE) ${owns ? sql`OR own_victims.client_id IS NOT NULL` : empty} AS has_line
        FROM active LEFT JOIN known USING (client_id, number) LEFT JOIN latest USING (client_id, number)
          ${owns ? sql`LEFT JOIN own_victims USING (client_id, number)` : empty}) AS judged)`,
    // One row for each client, so that nothing below joins periods: PostgreSQL expects one row of such a join, and loops.
    sql`scoped AS MATERIALIZED (
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
      sql`(SELECT client_id, sleeps, new_on IS NOT NULL AS is_new, coalesce(new_on, first_on) AS new_on FROM scoped WHERE is_in_scope)`,
    ),
  ];
};

/** The clients with a line of victimization by a custom value on a form of the period. */
const ownVictims = ({ years, to }: Parts): Sql =>
  sql`own_victims AS MATERIALIZED (
      SELECT client_id, number, bool_or(m.line IN (${FAMILY})) AS is_family
      FROM (${ownOfForms(sql`f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${years[0]}::date AND ${to}`)}) AS o
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
  sql`SELECT slept.client_id FROM slept JOIN stays st ON st.id = stay_id
      WHERE night BETWEEN ${from} AND (SELECT last FROM periods WHERE number = 1) AND ${visible.stays}`;

/** The new clients, their demographics, and the clients who are not counted. */
const victims: Block = {
  shared: scope,
  of: (parts) => ({
    parts: [
      sql`lines AS (
        SELECT client_id, line
        FROM facts CROSS JOIN LATERAL (VALUES ('people_new'), (${PLACE_LINE}), ${join([
          demographicLines("race", sql`no_race`, parts.untracked),
          demographicLines("sex", sql`no_gender`, parts.untracked),
          demographicLines("age", sql`no_age`, parts.untracked),
        ])}) AS l(line)
        WHERE line IS NOT NULL AND is_new
        UNION ALL SELECT client_id, 'people_other_crimes' FROM scoped WHERE NOT is_in_scope
        UNION ALL SELECT client_id, 'gap_victimization' FROM scoped WHERE is_unknown
        UNION ALL SELECT client_id, 'moved_into_shelter' FROM scoped WHERE was_outside AND client_id IN (${inShelter(parts)}))`,
    ],
    hits: hits(
      ["form_id", "stay_id"],
      sql`SELECT line, s.client_id, s.form_id, s.stay_id, 1 AS times, 0 AS minutes FROM lines JOIN served s USING (client_id)`,
    ),
  }),
};

/** The nights in shelter, the stays that begin, and the people who came along. */
const shelter: Block = {
  of: ({ slept, mapping, visible, years, from, to }) => ({
    parts: [
      mapping("shelter"),
      // With the night before the year, which decides if a stay begins on its first day.
      slept(sql`${years[0]}::date - 1`),
      sql`numbered AS MATERIALIZED (
        SELECT client_id, stay_id, night, width_bucket(night, ${years}::date[]) AS year,
          lag(night) OVER (PARTITION BY client_id ORDER BY night) IS DISTINCT FROM night - 1 AS begins
        FROM slept)`,
      sql`stayed AS MATERIALIZED (
        SELECT client_id, stay_id, count(*)::int AS nights, count(*) FILTER (WHERE begins)::int AS begun
        FROM numbered WHERE night BETWEEN ${from} AND ${to} GROUP BY client_id, stay_id)`,
      // Each client's first stay of a year in which someone came along, with its first night of that year.
      sql`along AS MATERIALIZED (
        SELECT DISTINCT ON (client_id, year) client_id, stay_id, night FROM (
          SELECT n.client_id, year, stay_id, min(night) AS night FROM numbered n JOIN stays st ON st.id = stay_id
          WHERE year > 0 AND st.adults + st.children_thirteen_to_seventeen + st.children_under_thirteen > 0
            AND ${visible.allStays}
          GROUP BY n.client_id, year, stay_id) AS firsts
        ORDER BY client_id, year, night)`,
    ],
    hits: hits(
      ["stay_id"],
      sql`SELECT line, st.client_id, stay_id, times, 0 AS minutes
        FROM stayed JOIN stays st ON st.id = stay_id CROSS JOIN LATERAL (VALUES ('shelter_people', 1), ('stays_begun', begun),
            ('shelter_nights', nights * (1 + st.adults + st.children_thirteen_to_seventeen + st.children_under_thirteen))) AS l(line, times)
        WHERE times > 0 AND ${visible.stays}
        UNION ALL SELECT line, st.client_id, stay_id, times, 0
        FROM along JOIN stays st ON st.id = stay_id CROSS JOIN LATERAL (VALUES ('along_adults', st.adults),
            ('along_children', st.children_thirteen_to_seventeen + st.children_under_thirteen)) AS l(line, times)
        WHERE night BETWEEN ${from} AND ${to} AND times > 0 AND ${visible.stays}
        UNION ALL SELECT 'gap_openStay', st.client_id, st.id, 0, 0
        FROM stays st JOIN mapping m ON m.source = st.shelter_id::text AND m.line = ${constant(SHELTER_LINE)}
          AND least(${to}, ${today()}::date) BETWEEN m."validFrom" AND m."validThrough"
        WHERE ${isLongOpen()} AND st.entered_on <= ${to} AND ${visible.stays}`,
    ),
  }),
};

/** The requests for shelter that were turned away, and the hotline. */
const calls: Block = {
  of: ({ contacts, mapping, visible }) => ({
    parts: [
      mapping("contact_kind", "form_type"),
      contacts,
      // A contact that is linked to a form replaces it, whatever the filters.
      sql`phoned AS MATERIALIZED (
        SELECT f.id AS form_id, f.client_id FROM forms f JOIN mapping m ON m.kind = 'form_type' AND m.source = f.form_type_id::text
          AND m.line = ${HOTLINE} AND f.service_on BETWEEN m."validFrom" AND m."validThrough"
        WHERE ${visible.chosen} AND NOT EXISTS (
          SELECT FROM contacts ct JOIN mapping k ON k.kind = 'contact_kind' AND k.source = ct.contact_kind_id::text
            AND k.line = ${HOTLINE} AND ct.contacted_on BETWEEN k."validFrom" AND k."validThrough"
          WHERE ct.form_id = f.id))`,
    ],
    hits: hits(
      ["form_id", "contact_id"],
      sql`SELECT l.line, NULL::int AS client_id, NULL::int AS form_id, contact_id, times, 0 AS minutes
        FROM calls LEFT JOIN mapping m ON m.kind = 'contact_kind' AND m.source = contact_kind_id::text
            AND m.line = ${HOTLINE} AND contacted_on BETWEEN m."validFrom" AND m."validThrough"
          CROSS JOIN LATERAL (VALUES ('hotline_contacts', CASE WHEN m.line IS NOT NULL THEN number END),
            ('unmet_requests', CASE turned_away_reason WHEN 'capacity' THEN number END),
            ('unmet_adults', CASE turned_away_reason WHEN 'capacity' THEN adults END),
            ('unmet_children', CASE turned_away_reason WHEN 'capacity' THEN children END)) AS l(line, times)
        WHERE times > 0
        UNION ALL SELECT 'hotline_contacts', client_id, form_id, NULL, 1, 0 FROM phoned`,
    ),
  }),
};

/** The service rows of adults and of children in scope, by the kind of service. */
const advocacy: Block = {
  shared: scope,
  of: ({ visible }) => ({
    parts: [
      // With the age, because PostgreSQL expects one row of the join with meanings, and would loop over all clients.
      sql`counted AS MATERIALIZED (
        SELECT c.*, facts.client_id IS NOT NULL AS is_in_scope, age FROM (${countedRows(visible.chosen)}) AS c LEFT JOIN facts USING (client_id))`,
      sql`meaning AS MATERIALIZED (${linesOfCodes("fvpsa_service", sql`counted`)})`,
      sql`sheltering AS MATERIALIZED (${linesOfCodes("service_code", sql`counted`)})`,
      sql`advocated AS MATERIALIZED (
        SELECT line, client_id, form_id, bool_or(is_in_scope) AS is_in_scope, min(age) AS age, count(*)::int AS times
        FROM counted JOIN meaning USING (service_code_id, form_type_id, service_on)
        WHERE line IN (${constant(INDIVIDUAL_LINE)}, ${GROUP}, 'gap_serviceCode') GROUP BY form_id, client_id, line)`,
    ],
    hits: hits(
      ["form_id"],
      sql`SELECT CASE line WHEN ${GROUP} THEN 'groups_' ELSE 'advocacy_' END
          || CASE WHEN age IN (${join(CHILDREN)}) THEN 'children' ELSE 'adults' END || unit AS line,
        client_id, form_id, times, 0 AS minutes
      FROM advocated CROSS JOIN (VALUES ('_individuals'), ('_times')) AS units(unit)
      WHERE line <> 'gap_serviceCode' AND is_in_scope
      UNION ALL SELECT line, client_id, form_id, 0, 0 FROM advocated WHERE line = 'gap_serviceCode'
      UNION ALL SELECT DISTINCT 'gap_shelterStay', c.client_id, c.form_id, 0, 0
      FROM counted c JOIN sheltering USING (service_code_id, form_type_id, service_on)
      WHERE line = ${SHELTER_SERVICE} AND NOT EXISTS (
        SELECT FROM stays st WHERE st.client_id = c.client_id AND ${visible.allStays}
          AND st.entered_on <= least(c.service_on, ${today()}::date) AND ${lastNight()} >= c.service_on - 1)`,
    ),
  }),
};

export const fvpsaBlocks = { victims, shelter, advocacy, calls };
