import "server-only";
import { columnName } from "@/lib/core/fields/tables";
import { constant, empty, identifier, join, type Sql, sql } from "@/lib/core/sql";
import { NO_LINE } from "@/lib/lookups/report-lines";
import {
  type Block,
  clientsSql,
  countedRows,
  customOfForms,
  customValues,
  demographicLines,
  FACT_KINDS,
  factsOn,
  gap,
  HAS_SURVIVOR,
  linesOfCodes,
  mapped,
  type Parts,
  partsOf,
  type Question,
  rowsSql,
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
import { events, surveys } from "@/lib/reports/event-blocks";
import { fvpsaBlocks } from "@/lib/reports/fvpsa-blocks";
import { FLAGS } from "@/lib/reports/mapping";

// The SQL of a report. A block counts the lines of one or several sections. It has parts, which are named in a WITH clause, and rows
// that count on lines. A line adds an entry to `rows` of its block. The statement's last part, `hits`, has all of these rows: line,
// client_id, form_id, stay_id, contact_id, times, and minutes. Exactly one of the three records is not null, and client_id is
// null for contacts. A number is computed from these rows and the list behind the number consists of them, so the two cannot
// disagree.

/** The custom values of the clients in `people`, as of the day that made them new, or else of their first counted form. */
// biome-ignore lint/plugin: people are counted clients
const CUSTOM_OF_CLIENTS = sql`SELECT client_id, NULL::int AS form_id, 'own_client' AS kind, source, coalesce(new_on, first_on) AS day
      FROM first_days LEFT JOIN new_clients USING (client_id) JOIN clients c ON c.id = client_id
        CROSS JOIN ${customValues(sql`c.custom`)}`;

/** The special classifications of boxes, and of custom values if `hasCustom`. */
const specialLines = (hasCustom: boolean): Sql => sql`(
    SELECT client_id, m.line FROM boxes ${mapped(sql`'flag'`, sql`flag`, sql`first_on`)} WHERE m.line <> ${constant(NO_LINE)}
    ${hasCustom ? CUSTOM_SPECIAL : empty}) AS special_lines`;
const CUSTOM_SPECIAL = sql`UNION ALL SELECT client_id, m.line FROM custom_values o
      JOIN mapping m ON m.kind = o.kind AND m.source = o.source AND o.day BETWEEN m."validFrom" AND m."validThrough"
      WHERE m.line LIKE 'special%'`;

/** The clients with a value without a line, of a custom field with other values that have one. */
const CUSTOM_GAP = sql`custom_values o ${mapped(sql`o.kind`, sql`o.source`, sql`o.day`)}
    WHERE m.line IS NULL AND (o.kind, split_part(o.source, ':', 1)) IN (SELECT kind, split_part(source, ':', 1) FROM mapping)`;

/** Rows of clients that only some reports have. */
const KINDS_OF_CLIENTS = [
  {
    line: "individuals_continuing",
    once: true as const,
    from: sql`people LEFT JOIN new_clients n USING (client_id) WHERE n.new_on IS NULL`,
  },
  {
    once: true as const,
    line: sql`CASE WHEN c.significant_other THEN 'individuals_significant_other' ELSE 'individuals_primary' END`,
    // biome-ignore lint/plugin: people are counted clients
    from: sql`people JOIN clients c ON c.id = client_id`,
  },
];

/** The population, the demographics of new individuals, and the special classifications. */
const people: Block = {
  of: ({ countedForms, newClients, mapping, visible, has, hasCustom, untracked }) => ({
    parts: [
      countedForms,
      newClients,
      // The first counted form in the period, whatever the filters.
      sql`first_days AS MATERIALIZED (SELECT client_id, min(first_on) AS first_on FROM first_forms GROUP BY client_id)`,
      mapping(...FACT_KINDS, "flag", "own_client", "own_form"),
      factsOn("gender"),
      sql`boxes AS MATERIALIZED (
        SELECT client_id, first_on, flag
        FROM first_days JOIN client_demographic_entries d USING (client_id)
          CROSS JOIN LATERAL (VALUES ${join(
            FLAGS.map((flag) => sql`(${constant(flag)}, d.${identifier(columnName(flag))})`),
          )}) AS flags(flag, is_ticked)
        WHERE is_ticked)`,
      ...(hasCustom
        ? [
            sql`custom_values AS MATERIALIZED (${CUSTOM_OF_CLIENTS} UNION ALL ${customOfForms(visible.inPeriod)})`,
          ]
        : []),
    ],
    records: { form: sql`form_id`, from: sql`counted_forms` },
    rows: [
      { line: "individuals_served", once: true, from: sql`people` },
      ...(has("individuals_primary") ? KINDS_OF_CLIENTS : []),
      { line: "individuals_new", once: true, from: sql`facts` },
      {
        line: sql`line`,
        once: true,
        from: sql`facts CROSS JOIN LATERAL (VALUES ${join([
          demographicLines("race", sql`no_race`, untracked),
          demographicLines("gender", sql`no_gender`, untracked),
          demographicLines("age", sql`no_age`, untracked),
        ])}) AS demographics(line) WHERE line IS NOT NULL`,
      },
      { line: sql`line`, from: specialLines(hasCustom) },
      ...(hasCustom ? [{ line: gap("ownField"), from: CUSTOM_GAP }] : []),
    ],
  }),
};

/** The victimizations of custom values on the forms of the period. */
const customVictimizations = (visible: Parts["visible"]): Sql =>
  sql`UNION SELECT m.line, client_id, form_id FROM (${customOfForms(visible.inPeriod)}) AS o
      JOIN mapping m ON m.kind = o.kind AND m.source = o.source AND o.day BETWEEN m."validFrom" AND m."validThrough"
      WHERE m.line LIKE 'victim%'`;

const victimization: Block = {
  of: ({ countedForms, mapping, visible, hasCustom, from, to }) => ({
    parts: [
      countedForms,
      mapping(...VICTIMIZATION_KINDS),
      // biome-ignore lint/plugin: people are counted clients
      sql`period_entries AS MATERIALIZED (
        SELECT v.*, f.id AS form_id, f.client_id, f.service_on
        FROM people JOIN forms f USING (client_id) JOIN intake_forms i ON i.form_id = f.id
          JOIN survivor_entries v ON v.intake_form_id = i.id
        WHERE f.reconciled IN (TRUE, FALSE) AND f.service_on BETWEEN ${from} AND ${to} AND ${HAS_SURVIVOR})`,
      // The index returns a client's forms backwards, separately for both states, until one has the section. Most forms
      // have none, which the type in that index shows.
      // biome-ignore lint/plugin: people are counted clients
      sql`entries AS MATERIALIZED (
        SELECT * FROM period_entries
        UNION ALL SELECT earlier.* FROM people CROSS JOIN LATERAL (
          SELECT latest.* FROM (VALUES (TRUE), (FALSE)) AS state(reconciled) CROSS JOIN LATERAL (
            SELECT v.*, f.id AS form_id, f.client_id, f.service_on
            FROM forms f JOIN intake_forms i ON i.form_id = f.id JOIN survivor_entries v ON v.intake_form_id = i.id
            WHERE f.client_id = people.client_id AND f.reconciled = state.reconciled AND f.service_on < ${from}
              AND ${HAS_SURVIVOR}
            ORDER BY f.service_on DESC, f.id DESC LIMIT 1) AS latest
          ORDER BY latest.service_on DESC, latest.form_id DESC LIMIT 1) AS earlier
        WHERE people.client_id NOT IN (SELECT client_id FROM period_entries))`,
      sql`sources AS (${VICTIMIZATIONS})`,
      sql`victim_lines AS MATERIALIZED (
        SELECT DISTINCT coalesce(m.line, ${gap("victimization")}) AS line, s.client_id, s.form_id
        FROM sources s ${mapped(sql`s.kind`, sql`s.source`, sql`s.service_on`)}
        WHERE m.line IS DISTINCT FROM ${constant(NO_LINE)}
        ${hasCustom ? customVictimizations(visible) : empty})`,
    ],
    rows: [
      { line: sql`line`, form: sql`form_id`, from: sql`victim_lines` },
      {
        line: "victim_multiple",
        form: sql`form_id`,
        from: sql`(SELECT client_id, form_id, min(line) OVER person <> max(line) OVER person AS has_several
          FROM victim_lines WHERE line LIKE 'victim%' WINDOW person AS (PARTITION BY client_id)) AS several
          WHERE has_several GROUP BY client_id, form_id`,
      },
      {
        line: gap("victimization"),
        form: sql`form_id`,
        from: sql`entries WHERE client_id NOT IN (SELECT client_id FROM victim_lines)`,
      },
      {
        line: gap("victimization"),
        form: sql`form_id`,
        from: sql`counted_forms
          WHERE client_id NOT IN (SELECT client_id FROM entries UNION ALL SELECT client_id FROM victim_lines)`,
      },
    ],
  }),
};

/**
 * The forms that decide the VAWA lines: those of primary victims that count, plus all Not Served ones of the period.
 * Filters choose only the counted forms (docs/decisions/019-count-and-list-from-the-same-rows.md).
 */
const vawaForms = ({
  visible,
  isOfCountedClient,
}: Pick<Parts, "visible" | "isOfCountedClient">) => sql`vawa_forms AS MATERIALIZED (
    SELECT r.* FROM (
      SELECT form_id, client_id, service_status FROM counted_forms
      UNION ALL SELECT f.id, f.client_id, f.service_status FROM forms f
        WHERE ${visible.inPeriod} AND f.service_status = 'Not Served' AND ${isOfCountedClient}
    ) AS r JOIN clients c ON c.id = r.client_id WHERE NOT c.significant_other)`;

const VAWA_ROWS = [
  {
    line: sql`CASE WHEN bool_and(service_status = 'Served') OVER person THEN 'vawa_served'
        WHEN bool_and(service_status = 'Not Served') OVER person THEN 'vawa_not_served'
        ELSE 'vawa_partially_served' END`,
    form: sql`form_id`,
    from: sql`vawa_forms WINDOW person AS (PARTITION BY client_id)`,
  },
  {
    line: sql`reasons.line`,
    form: sql`form_id`,
    from: sql`vawa_forms v JOIN service_status_entries e USING (form_id)
        CROSS JOIN LATERAL (VALUES ${join(
          Object.entries(REASON_LINES).map(
            ([flag, line]) => sql`(e.${identifier(columnName(flag))}, ${constant(line)})`,
          ),
        )}) AS reasons(is_ticked, line)
      WHERE v.service_status <> 'Served' AND is_ticked`,
  },
];

/**
 * SQL condition: form `e` has Other Service minutes. Checked per form, because few forms have no minutes of a code.
 */
const HAS_OTHER = sql`(SELECT o.other_service_minutes FROM service_entries o WHERE o.form_id = e.form_id) > 0`;

/**
 * Services by code, the minutes, and the VAWA lines of a report that has them, which also use Not Served forms.
 */
const services: Block = {
  of: ({ visible, has, mapping, nightsSince, from, to, isOfCountedClient }) => ({
    parts: [
      sql`service_rows AS MATERIALIZED (${countedRows(visible.chosen)})`,
      mapping("service_code", "shelter"),
      sql`code_lines AS MATERIALIZED (${linesOfCodes("service_code", sql`service_rows`)})`,
      sql`counted_forms AS MATERIALIZED (
        SELECT form_id, client_id, service_status, sum(minutes)::int AS minutes FROM service_rows GROUP BY 1, 2, 3)`,
      // Numbers come first in GROUP BY, because sorting by them is faster than by text.
      sql`form_lines AS MATERIALIZED (
        SELECT line, client_id, form_id, count(*)::int AS times, sum(minutes)::int AS minutes
        FROM service_rows JOIN code_lines USING (service_code_id, form_type_id, service_on)
        WHERE line <> ${constant(NO_LINE)} GROUP BY form_id, client_id, line)`,
      sql`empty_forms AS MATERIALIZED (
        SELECT f.id AS form_id, f.client_id, f.form_type_id FROM forms f
        WHERE ${visible.chosen} AND f.service_status <> 'Not Served'
          AND NOT EXISTS (SELECT FROM counted_forms WHERE counted_forms.form_id = f.id))`,
      ...(has("vawa_served") ? [vawaForms({ visible, isOfCountedClient })] : []),
      nightsSince(from),
      // Of all advocates and form types: whether a client had a shelter service is a fact about the client.
      sql`sheltered_rows AS MATERIALIZED (${countedRows(
        sql`f.client_id IN (SELECT client_id FROM counted_nights) AND ${visible.inPeriod}`,
      )})`,
      sql`shelter_service_clients AS (
        SELECT client_id FROM sheltered_rows JOIN (${linesOfCodes("service_code", sql`sheltered_rows`)}) AS shelter_lines
          USING (service_code_id, form_type_id, service_on) WHERE line = ${SHELTER_SERVICE})`,
    ],
    rows: [
      {
        line: sql`line`,
        form: sql`form_id`,
        times: sql`times`,
        minutes: sql`minutes`,
        from: sql`form_lines`,
      },
      {
        line: sql`left(line, 1) || '_individuals'`,
        form: sql`form_id`,
        from: sql`form_lines WHERE substr(line, 2, 1) BETWEEN '0' AND '9' GROUP BY form_id, client_id, left(line, 1)`,
      },
      { line: "service_minutes", form: sql`form_id`, minutes: sql`minutes`, from: sql`counted_forms` },
      {
        line: sql`CASE WHEN ${HAS_OTHER} THEN ${gap("otherService")} ELSE ${gap("minutes")} END`,
        form: sql`form_id`,
        from: sql`empty_forms e JOIN form_types t ON t.id = e.form_type_id WHERE t.service_entry`,
      },
      ...(has("vawa_served") ? VAWA_ROWS : []),
      {
        line: gap("shelterService"),
        client: sql`st.client_id`,
        stay: sql`st.id`,
        from: sql`counted_nights JOIN stays st ON st.id = stay_id
          WHERE night BETWEEN ${from} AND ${to} AND ${visible.stays}
            AND st.client_id NOT IN (SELECT client_id FROM shelter_service_clients) GROUP BY st.client_id, st.id`,
      },
    ],
  }),
};

/** The contacts that are linked to no form. */
const contacts: Block = {
  of: ({ contacts }) => ({
    parts: [contacts],
    rows: [
      {
        line: "anonymous_contacts",
        client: sql`NULL::int`,
        contact: sql`contact_id`,
        times: sql`number`,
        from: sql`calls WHERE NOT is_linked AND number > 0`,
      },
    ],
  }),
};

const blocks: Record<BlockName, Block> = {
  people,
  victimization,
  services,
  contacts,
  events,
  surveys,
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

const union = (selects: readonly Sql[]): Sql => join([...selects], " UNION ALL ");

/** Returns the parts of blocks of one statement, their clients on lines, and the SELECTs of their other rows. */
function readBlocks(names: readonly BlockName[], question: Question) {
  const shared = new Set(names.flatMap((name) => blockOf(name, question.report).shared ?? []));
  const parts = partsOf(question);
  const blocks = names.map((name) => blockOf(name, question.report).of(parts));
  return {
    parts: [...[...shared].flatMap((part) => part(parts)), ...blocks.flatMap((block) => block.parts)],
    ofClients: blocks.flatMap(({ records, rows }) =>
      records ? [{ records, lines: sql`(${union(rows.map(clientsSql))}) AS lines` }] : [],
    ),
    ofRecords: blocks.flatMap(({ records, rows }) => (records ? [] : rows.map(rowsSql))),
  };
}

/**
 * Returns the WITH clause of blocks of one statement. Its last part is `hits`, with their rows. The caller appends a query on
 * it.
 */
export function hitsOf(names: readonly BlockName[], question: Question): Sql {
  const { parts, ofClients, ofRecords } = readBlocks(names, question);
  const listed = ofClients.map(({ records: { from, ...columns }, lines }) =>
    rowsSql({ line: sql`line`, ...columns, from: sql`${lines} JOIN ${from} USING (client_id)` }),
  );
  return sql`WITH ${join([...parts, sql`hits AS (${union([...listed, ...ofRecords])})`])}`;
}

/**
 * Returns SQL that counts the lines of blocks of one statement: `clients`, `records`, `times`, and `minutes` of each. On the
 * lines in `sums`, which do not count clients, `clients` is 0. In blocks of clients each client is on a line only once, so
 * records are not joined and grouped: `people` has their number.
 */
export function countsOf(names: readonly BlockName[], question: Question, sums: readonly string[]): Sql {
  const { parts, ofClients, ofRecords } = readBlocks(names, question);
  const counts = [
    ...ofClients.map(
      ({ lines }) =>
        sql`SELECT line, client_id AS person, records, 0 AS times, 0 AS minutes FROM ${lines} JOIN people USING (client_id)`,
    ),
    ...(ofRecords.length > 0
      ? [
          sql`SELECT line, client_id AS person,
            count(*) AS records, sum(times) AS times, sum(minutes) AS minutes FROM (${union(ofRecords)}) AS hits GROUP BY line, person`,
        ]
      : []),
  ];
  // Grouping twice lets PostgreSQL hash. For count(DISTINCT …) it would sort, which is slower.
  return sql`WITH ${join(parts)}
    SELECT line, (CASE WHEN line = ANY(${sums}::text[]) THEN 0 ELSE count(person) END)::int AS clients, sum(records)::int AS records, sum(times)::int AS times, sum(minutes)::int AS minutes
    FROM (${union(counts)}) AS counts GROUP BY line`;
}
