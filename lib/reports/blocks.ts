import "server-only";
import { constant, empty, identifier, join, type Sql, sql } from "@/lib/core/database/sql";
import { columnName } from "@/lib/core/fields/tables";
import { NO_LINE } from "@/lib/lookups/report-lines";
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
  ownValues,
  type Parts,
  parts,
  type Question,
  SHELTER_SERVICE,
  VICTIMIZATION_KINDS,
  VICTIMIZATIONS,
} from "@/lib/reports/block-parts";
import {
  type BlockName,
  blocksOf,
  countsStays,
  REASON_LINES,
  type ReportKey,
} from "@/lib/reports/definitions";
import { fvpsaBlocks } from "@/lib/reports/fvpsa-blocks";
import { FLAGS } from "@/lib/reports/mapping";

// The SQL of a report. A block counts the lines of one or several sections. The last part of its statement, `hits`, has a row for each
// record that counts on a line: line, client_id, form_id, stay_id, contact_id, times, and minutes. Exactly one of the three
// records is not null, and client_id is null for contacts. A number is computed from these rows and the list behind the
// number consists of them, so the two cannot disagree.

/** SQL for lines of all clients that only some reports have. */
// biome-ignore lint/plugin: people are counted clients
const KINDS_OF_CLIENTS = sql`UNION ALL SELECT client_id, line
    FROM people JOIN clients c ON c.id = client_id LEFT JOIN fresh n USING (client_id)
      CROSS JOIN LATERAL (VALUES (CASE WHEN n.new_on IS NULL THEN 'individuals_continuing' END),
        (CASE WHEN c.significant_other THEN 'individuals_significant_other' ELSE 'individuals_primary' END)) AS l(line)
    WHERE line IS NOT NULL`;

/** The own values of `people`: those of the client as of the first counted form, and those on forms. */
// biome-ignore lint/plugin: people are counted clients
const OWN_OF_CLIENTS = sql`SELECT client_id, NULL::int AS form_id, 'own_client' AS kind, source, first_on AS day
      FROM starts JOIN clients c ON c.id = client_id CROSS JOIN ${ownValues(sql`c.custom`)}`;

/** The special classifications of own values. */
const OWN_SPECIAL = sql`UNION ALL SELECT client_id, m.line FROM own_values o
      JOIN mapping m ON m.kind = o.kind AND m.source = o.source AND o.day BETWEEN m."validFrom" AND m."validThrough"
      WHERE m.line LIKE 'special%'`;

/** The clients with a value without a line, of a custom field with other values that have one. */
const OWN_GAP = sql`UNION ALL SELECT DISTINCT client_id, 'gap_ownField'
    FROM own_values o ${mapped(sql`o.kind`, sql`o.source`, sql`o.day`)}
    WHERE m.line IS NULL AND (o.kind, split_part(o.source, ':', 1)) IN (SELECT kind, split_part(source, ':', 1) FROM mapping)`;

/** The population, the demographics of new individuals, and the special classifications. */
const people: Block = {
  of: ({ served, people, fresh, mapping, visible, has, owns, untracked }) => ({
    parts: [
      served,
      people,
      fresh,
      // The first counted form in the period, whatever the filters.
      sql`starts AS MATERIALIZED (SELECT client_id, min(first_on) AS first_on FROM firsts GROUP BY client_id)`,
      mapping(...FACT_KINDS, "flag", "own_client", "own_form"),
      factsOn("gender"),
      sql`ticked AS MATERIALIZED (
        SELECT client_id, first_on, flag
        FROM starts JOIN client_demographic_entries d USING (client_id)
          CROSS JOIN LATERAL (VALUES ${join(
            FLAGS.map((flag) => sql`(${constant(flag)}, d.${identifier(columnName(flag))})`),
          )}) AS flags(flag, is_ticked)
        WHERE is_ticked)`,
      ...(owns
        ? [sql`own_values AS MATERIALIZED (${OWN_OF_CLIENTS} UNION ALL ${ownOfForms(visible.inPeriod)})`]
        : []),
      sql`lines AS (
        SELECT client_id, 'individuals_served' AS line FROM people
        ${has("individuals_primary") ? KINDS_OF_CLIENTS : empty}
        UNION ALL SELECT client_id, line
        FROM facts CROSS JOIN LATERAL (VALUES ('individuals_new'),
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
    ],
    hits: hits(
      ["form_id"],
      sql`SELECT line, s.client_id, s.form_id, 1 AS times, 0 AS minutes FROM lines JOIN served s USING (client_id)`,
    ),
  }),
};

/** The victimizations of own values on the forms of the period. */
const ownVictimizations = (visible: Parts["visible"]): Sql =>
  sql`UNION SELECT m.line, client_id, form_id FROM (${ownOfForms(visible.inPeriod)}) AS o
      JOIN mapping m ON m.kind = o.kind AND m.source = o.source AND o.day BETWEEN m."validFrom" AND m."validThrough"
      WHERE m.line LIKE 'victim%'`;

const victimization: Block = {
  of: ({ served, people, mapping, visible, owns, from, to }) => ({
    parts: [
      served,
      people,
      mapping(...VICTIMIZATION_KINDS),
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
      sql`sources AS (${VICTIMIZATIONS})`,
      sql`found AS MATERIALIZED (
        SELECT DISTINCT coalesce(m.line, 'gap_victimization') AS line, s.client_id, s.form_id
        FROM sources s ${mapped(sql`s.kind`, sql`s.source`, sql`s.service_on`)}
        WHERE m.line IS DISTINCT FROM ${constant(NO_LINE)}
        ${owns ? ownVictimizations(visible) : empty})`,
    ],
    hits: hits(
      ["form_id"],
      sql`SELECT line, client_id, form_id, 1 AS times, 0 AS minutes FROM found
        UNION ALL SELECT 'victim_multiple', client_id, form_id, 1, 0 FROM (
          SELECT client_id, form_id, min(line) OVER person <> max(line) OVER person AS has_several
          FROM found WHERE line LIKE 'victim%' WINDOW person AS (PARTITION BY client_id)) AS several
          WHERE has_several GROUP BY client_id, form_id
        UNION ALL SELECT 'gap_victimization', client_id, form_id, 1, 0 FROM entries
          WHERE client_id NOT IN (SELECT client_id FROM found)
        UNION ALL SELECT 'gap_victimization', client_id, form_id, 1, 0 FROM served
          WHERE client_id NOT IN (SELECT client_id FROM entries UNION ALL SELECT client_id FROM found)`,
    ),
  }),
};

/**
 * The forms that decide the VAWA lines: those of primary victims that count, plus all Not Served ones of the period.
 * Filters choose only the counted forms (docs/decisions/019-count-and-list-from-the-same-rows.md).
 */
const regardedForms = ({
  visible,
  regarded,
}: Pick<Parts, "visible" | "regarded">) => sql`regarded AS MATERIALIZED (
    SELECT r.* FROM (
      SELECT form_id, client_id, service_status FROM served
      UNION ALL SELECT f.id, f.client_id, f.service_status FROM forms f
        WHERE ${visible.inPeriod} AND f.service_status = 'Not Served' AND ${regarded}
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

/**
 * Services by code, the minutes, and the VAWA lines of a report that has them, which also use Not Served forms.
 */
const services: Block = {
  of: ({ visible, has, mapping, slept, from, to, regarded }) => ({
    parts: [
      sql`counted AS MATERIALIZED (${countedRows(visible.chosen)})`,
      mapping("service_code", "shelter"),
      sql`meaning AS MATERIALIZED (${linesOfCodes("service_code", sql`counted`)})`,
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
      ...(has("vawa_served") ? [regardedForms({ visible, regarded })] : []),
      slept(from),
      // Of all advocates and form types: whether a client had a shelter service is a fact about the client.
      sql`of_sheltered AS MATERIALIZED (${countedRows(
        sql`f.client_id IN (SELECT client_id FROM slept) AND ${visible.inPeriod}`,
      )})`,
      sql`with_shelter AS (
        SELECT client_id FROM of_sheltered JOIN (${linesOfCodes("service_code", sql`of_sheltered`)}) AS meant
          USING (service_code_id, form_type_id, service_on) WHERE line = ${SHELTER_SERVICE})`,
    ],
    hits: hits(
      ["form_id", "stay_id"],
      sql`SELECT line, client_id, form_id, NULL::int AS stay_id, times, minutes FROM (
        SELECT line, client_id, form_id, times, minutes FROM on_lines
        UNION ALL SELECT left(line, 1) || '_individuals', client_id, form_id, 1, 0
          FROM on_lines WHERE substr(line, 2, 1) BETWEEN '0' AND '9' GROUP BY form_id, client_id, left(line, 1)
        UNION ALL SELECT 'service_minutes', client_id, form_id, 0, minutes FROM served
        UNION ALL SELECT CASE WHEN ${HAS_OTHER} THEN 'gap_otherService' ELSE 'gap_minutes' END,
            u.client_id, u.form_id, 0, 0
          FROM unserved u JOIN form_types t ON t.id = u.form_type_id
          WHERE t.service_entry
        ${has("vawa_served") ? VAWA_HITS : empty}) AS of_forms
        UNION ALL SELECT DISTINCT 'gap_shelterService', st.client_id, NULL::int, st.id, 0, 0
          FROM slept JOIN stays st ON st.id = stay_id
          WHERE night BETWEEN ${from} AND ${to} AND ${visible.stays} AND st.client_id NOT IN (SELECT client_id FROM with_shelter)`,
    ),
  }),
};

/** The contacts that are linked to no form. */
const contacts: Block = {
  of: ({ contacts }) => ({
    parts: [contacts],
    hits: hits(
      ["contact_id"],
      sql`SELECT 'anonymous_contacts' AS line, NULL::int AS client_id, contact_id, number AS times, 0 AS minutes
        FROM calls WHERE NOT is_linked AND number > 0`,
    ),
  }),
};

const blocks: Record<BlockName, Block> = {
  ...{ people, victimization, services, contacts },
  ...fvpsaBlocks,
};

const blockOf = (name: BlockName, report: ReportKey): Block =>
  name === "contacts" && countsStays(report) ? fvpsaBlocks.calls : blocks[name];

/** Returns the blocks of a report by statement: those that share parts are in one, so that these run only once. */
export function statementsOf(report: ReportKey): BlockName[][] {
  const statements = new Map<unknown, BlockName[]>();
  for (const name of blocksOf(report)) {
    const key = blockOf(name, report).shared ?? name;
    statements.set(key, [...(statements.get(key) ?? []), name]);
  }
  return [...statements.values()];
}

/**
 * Returns the WITH clause of blocks of one statement. Its last part is `hits`, with the rows of those in `listed`. The caller
 * appends a query on it.
 */
export function hitsOf(names: readonly BlockName[], question: Question, listed = names): Sql {
  const made = parts(question);
  const used = names.map((name) => ({ name, block: blockOf(name, question.report) }));
  const shared = new Set(used.flatMap(({ block }) => block.shared ?? []));
  const own = used.map(({ name, block }) => ({ name, ...block.of(made) }));
  const rows = own.filter(({ name }) => listed.includes(name)).map(({ hits }) => hits);
  return sql`WITH ${join([
    ...[...shared].flatMap((part) => part(made)),
    ...own.flatMap(({ parts }) => parts),
    ...(rows.length > 0 ? [sql`hits AS (${join(rows, " UNION ALL ")})`] : []),
  ])}`;
}

/**
 * Returns SQL that counts the lines of blocks of one statement: `clients`, `records`, `times`, and `minutes` of each. On the
 * lines in `sums`, which do not count clients, `clients` is 0. In the blocks of people each client is on a line only once, so
 * its records are not joined and grouped.
 */
export function countsOf(names: readonly BlockName[], question: Question, sums: readonly string[]): Sql {
  const ofRecords = names.filter((name) => name !== "people" && name !== "victims");
  const counts = [
    ...(ofRecords.length < names.length
      ? [
          sql`SELECT line, client_id AS person, records, 0 AS times, 0 AS minutes FROM lines JOIN people USING (client_id)`,
        ]
      : []),
    ...(ofRecords.length > 0
      ? [
          sql`SELECT line, CASE WHEN line = ANY(${sums}::text[]) THEN NULL ELSE client_id END AS person,
            count(*) AS records, sum(times) AS times, sum(minutes) AS minutes FROM hits GROUP BY line, person`,
        ]
      : []),
  ];
  // Grouping twice lets PostgreSQL hash. For count(DISTINCT …) it would sort, which is slower.
  return sql`${hitsOf(names, question, ofRecords)}
    SELECT line, count(person)::int AS clients, sum(records)::int AS records, sum(times)::int AS times, sum(minutes)::int AS minutes
    FROM (${join(counts, " UNION ALL ")}) AS counts GROUP BY line`;
}
