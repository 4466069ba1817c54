import "server-only";
import { auditRead } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/core/access/permissions";
import {
  type Hiding,
  openFormsWhere,
  seesClients,
  visibleContactsWhere,
  visibleRecordsWhere,
  visibleStaysWhere,
} from "@/lib/core/access/scope";
import type { Query } from "@/lib/core/database/client";
import { type AsOf, MOST_BEHIND_S, replicaReader } from "@/lib/core/database/replica";
import { listRows, type ReadRows } from "@/lib/core/database/statements";
import { invalid, invalidFields, notFound } from "@/lib/core/errors";
import { env } from "@/lib/core/process/env";
import { type Sql, sql } from "@/lib/core/sql";
import { counted, timeOfDay, today } from "@/lib/core/text/format";
import { events } from "@/lib/events/record";
import { outcomeSurveys } from "@/lib/outcomes/record";
import { SERVICE_KINDS, type ServiceKind } from "@/lib/outcomes/words";
import {
  ALL_FORMS_ONLY,
  copyPeriodsOnly,
  OWN_NUMBERS_ONLY,
  seesAllNumbers,
  seesNumbers,
} from "@/lib/reports/access";
import type { Question } from "@/lib/reports/block-parts";
import { countsOf, hitsOf, statementsOf } from "@/lib/reports/blocks";
import {
  type BlockName,
  countsClients,
  countsStays,
  type Gap as GapDefinition,
  gapLine,
  gapsIn,
  lineOf,
  linesOf,
  REPORT_KEYS,
  type ReportKey,
  reports,
  sectionsIn,
  surveyLine,
  type Unit,
} from "@/lib/reports/definitions";
import { answeredLine } from "@/lib/reports/event-blocks";
import { COUNSELED } from "@/lib/reports/fvpsa-blocks";
import { BORROWED, type Mapping } from "@/lib/reports/mapping";
import { isShareable, yearsOf } from "@/lib/reports/periods";
import type { Behind, ExactReport, Gap, ReportQuery } from "@/lib/reports/schema";
import { SMALLEST_SHOWN, type Suppressed, suppressSmallCounts } from "@/lib/reports/suppression";
import { readUntracked } from "@/lib/reports/untracked";

/** Returns the report for a path segment. Throws 404 for an unknown one. */
export function parseReportKey(key: string): ReportKey {
  const report = REPORT_KEYS.find((candidate) => candidate === key);
  if (!report) throw notFound();
  return report;
}

/** An organization's setup for a report: the month in which its year starts, and its mappings. */
type Setup = { yearStart: number; mappings: Mapping[] };
/** The setup, and the mappings of another report that count too. */
type CountingSetup = Setup & { borrowed: Mapping[] };

const mappingsJson = (condition: Sql): Sql =>
  sql`coalesce((SELECT json_agg(json_build_object('kind', m.kind, 'source', m.source,
        'formTypeId', m.form_type_id, 'line', m.line, 'validFrom', m.valid_from, 'validThrough', m.valid_through) ORDER BY m.id)
      FROM report_mappings m WHERE ${condition}), '[]')`;

/** Returns a report's setup, read in one statement. */
export async function readSetup(report: ReportKey, read: ReadRows = listRows): Promise<CountingSetup> {
  const { from, kinds } = BORROWED[report];
  const [setup] = await read<CountingSetup>(
    "report setup",
    sql`SELECT s.year_start AS "yearStart", ${mappingsJson(sql`m.report = s.report`)} AS mappings,
       ${mappingsJson(sql`m.report = ${from} AND m.kind = ANY(${kinds}::text[])`)} AS borrowed
     FROM report_settings s WHERE s.report = ${report}`,
  );
  return setup ?? { yearStart: reports[report].yearStart, mappings: [], borrowed: [] };
}

/**
 * Throws 422 for readers without All Forms who ask for more than their own records. Copies for sharing are not checked here.
 */
function assertSeesNumbers(actor: SessionUser, asked: ReportQuery): void {
  if (!seesNumbers(actor, asked)) throw invalid("userId", OWN_NUMBERS_ONLY);
}

/**
 * Locks the setups that count in a report until the transaction ends, so that nobody can save one of them meanwhile. Throws 409 if
 * one was saved since the transaction's snapshot.
 */
export const lockSetups = (query: Query, report: ReportKey): Promise<unknown> =>
  query(
    sql`SELECT FROM report_settings WHERE report IN (${report}, ${BORROWED[report].from}) ORDER BY report FOR SHARE`,
  );

/** Throws 422 that names `field` for readers without All Forms. */
export function assertSeesAllNumbers(actor: SessionUser, field: string): void {
  if (!seesAllNumbers(actor)) throw invalid(field, ALL_FORMS_ONLY);
}

/** Returns the input that a block needs to count for `reader`, with the stored setup unless `tried` replaces it. */
export async function questionOf(
  { hiddenClients, permissions }: Hiding & Partial<Pick<SessionUser, "permissions">>,
  report: ReportKey,
  asked: ReportQuery,
  tried?: Setup,
  read: ReadRows = listRows,
): Promise<Question> {
  const stored = await readSetup(report, read);
  const { yearStart, mappings } = tried ?? stored;
  const years = yearsOf(yearStart, asked.from, asked.to);
  return {
    ...asked,
    hiddenClients,
    report,
    years,
    // A copy for sharing has no `userId`.
    ofOwnClients: asked.userId !== null && permissions !== undefined && !seesAllNumbers({ permissions }),
    mappings: [...mappings, ...stored.borrowed],
    untracked: await readUntracked(read),
  };
}

const nameOf = (blocks: readonly BlockName[]) => `report ${blocks.join(" and ")}`;

/** Runs the statement of blocks (`statementsOf`). `query` is the SQL that reads their `hits`. */
export const readHits = <Row>(
  blocks: readonly BlockName[],
  question: Question,
  query: Sql,
  read: ReadRows,
): Promise<Row[]> => read<Row>(nameOf(blocks), sql`${hitsOf(blocks, question)} ${query}`);

/** The counts of a line. */
type Tally = { line: string; clients: number; records: number; times: number; minutes: number };
const NONE: Omit<Tally, "line"> = { clients: 0, records: 0, times: 0, minutes: 0 };

const countOf = (unit: Unit, { clients, times, minutes }: Omit<Tally, "line">): number => {
  if (countsClients(unit)) return clients;
  return unit === "minutes" ? minutes : times;
};

/** SQL that joins the record of each row of `hits` as `f`, `st`, or `ct` if the actor may open it. */
const openRecords = (actor: SessionUser): Sql =>
  sql`LEFT JOIN forms f ON f.id = hits.form_id AND ${openFormsWhere(actor)}
    LEFT JOIN stays st ON st.id = hits.stay_id AND ${visibleStaysWhere(actor)}
    LEFT JOIN contacts ct ON ct.id = hits.contact_id AND ${visibleContactsWhere(actor)}
    LEFT JOIN events ev ON ev.id = hits.event_id AND ${visibleRecordsWhere(actor, events, sql`ev`)}
    LEFT JOIN outcome_surveys sv ON sv.id = hits.survey_id AND ${visibleRecordsWhere(actor, outcomeSurveys, sql`sv`)}`;
/** SQL condition: the actor may open the record. */
const OPENS = sql`num_nonnulls(f.id, st.id, ct.id) > 0`;

/** Counts all lines of a report, including gaps. The statements run one after the other, because each keeps a processor busy. */
async function readTallies(question: Question, read: ReadRows): Promise<Map<string, Tally>> {
  const sums = linesOf(question.report)
    .filter(({ unit }) => !countsClients(unit))
    .flatMap(({ key }) => [key, answeredLine(key)]);
  const tallies = new Map<string, Tally>();
  for (const blocks of statementsOf(question.report)) {
    const counted = await read<Tally>(nameOf(blocks), countsOf(blocks, question, sums));
    for (const tally of counted) tallies.set(tally.line, tally);
  }
  return tallies;
}

/** Runs `work` on one snapshot of the database, so that several statements see the same data. */
export const inSnapshot = async <Result>(work: (read: ReadRows) => Promise<Result>): Promise<Result> =>
  (await replicaReader(0)).inOneSnapshot("report", work);

/** A gap with the number of clients, and of forms or other records, that have it. */
export type GapCount = GapDefinition & { clients: number; forms: number };

/** Returns a report with exact counts, read by `read` (`inSnapshot`). */
export const readReport = async (question: Question, read: ReadRows): Promise<ExactReport> =>
  reportOf(question, await readTallies(question, read));

function reportOf(
  { report, from, to, formTypeId }: Question,
  tallies: ReadonlyMap<string, Tally>,
  isCopy = false,
): ExactReport {
  const { title, notes } = reports[report];
  return {
    key: report,
    title,
    from,
    to,
    sections: sectionsIn(report, formTypeId).map(({ key, title: heading, lines }) => ({
      key,
      title: heading,
      lines: lines.map(({ key, label, unit, help }) => ({
        key,
        label,
        unit,
        help: helpWithAnswers(key, help, tallies, isCopy),
        count: countOf(unit, tallies.get(key) ?? NONE),
      })),
    })),
    notes: [...notes],
  };
}

/** The lines of the clients who could have answered cards of each kind. A client is on one line of each. */
const COULD_ANSWER: Readonly<Record<ServiceKind, readonly string[]>> = {
  shelter: ["shelter_people"],
  advocacy: ["advocacy_adults_individuals", "advocacy_children_individuals"],
  counseling: [COUNSELED],
  support_group: ["groups_adults_individuals", "groups_children_individuals"],
};

/**
 * Returns the help of a line of yes answers with their share of those who answered, and with how many clients could have
 * answered: `77% of those who answered (20 of 26). 57 clients could have answered.` A copy for sharing has no number of
 * clients, and nothing about 1 to 4 cards.
 */
function helpWithAnswers(
  line: string,
  help: string,
  tallies: ReadonlyMap<string, Tally>,
  isCopy: boolean,
): string {
  const kind = SERVICE_KINDS.find(({ value }) => line.startsWith(`outcome_${value}_`))?.value;
  if (!kind || line === surveyLine(kind, "completed")) return help;
  const { times: cards } = tallies.get(surveyLine(kind, "completed")) ?? NONE;
  if (isCopy && cards < SMALLEST_SHOWN) return help;
  const { times: yes } = tallies.get(line) ?? NONE;
  const { times: answered } = tallies.get(answeredLine(line)) ?? NONE;
  const clients = COULD_ANSWER[kind].reduce((sum, key) => sum + (tallies.get(key)?.clients ?? 0), 0);
  return [
    help,
    ...(answered > 0
      ? [`${Math.round((100 * yes) / answered)}% of those who answered (${yes} of ${answered}).`]
      : []),
    ...(isCopy ? [] : [`${counted(clients, "client")} could have answered.`]),
  ].join(" ");
}

/** Returns the help text of a gap, with this installation's number of nights. */
const helpOf = ({ help }: GapDefinition): string =>
  help.replace("{nights}", counted(env().STAY_ALERT_DAYS, "night"));

const gapsOf = ({ report, formTypeId }: Question, tallies: ReadonlyMap<string, Tally>): GapCount[] =>
  gapsIn(report, formTypeId).map((gap) => {
    const { clients, records } = tallies.get(gapLine(gap.field)) ?? NONE;
    return { ...gap, help: helpOf(gap), clients, forms: records };
  });

/** `GET /api/reports/{key}`, with the marks of suppressed lines. */
export async function getReport(
  actor: SessionUser,
  key: ReportKey,
  asked: ReportQuery,
  share = false,
): Promise<Suppressed> {
  const { report, marks, behind } = await reportWithGaps(actor, key, asked, share);
  return { report: { ...report, notes: behind ? [behind, ...report.notes] : report.notes }, marks };
}

/**
 * Returns a report as the actor may read it, with the counts of its gaps. A copy for sharing has no small numbers and no gaps.
 * Throws 422 for a copy of another period than a whole one that has ended, and for numbers that the actor may not see. If
 * they come from a replica, `behind` is its delay. The view is not recorded, because totals identify no one.
 */
export async function reportWithGaps(
  actor: SessionUser,
  report: ReportKey,
  asked: ReportQuery,
  share: boolean,
) {
  const setup = await readSetup(report);
  if (!share) assertSeesNumbers(actor, asked);
  else if (!isShareable(report, asked, setup.yearStart, today()))
    throw invalidFields({ share: copyPeriodsOnly(reports[report]) });
  const question = await questionOf(actor, report, asked, setup);
  const reader = await replicaReader(MOST_BEHIND_S);
  const tallies = await reader.inOneSnapshot("report", (read) => readTallies(question, read));
  const exact = reportOf(question, tallies, share);
  const shown: Suppressed = share ? suppressSmallCounts(exact) : { report: exact, marks: new Map() };
  const asOf = reader.asOf();
  return {
    ...shown,
    gaps: share ? [] : gapsOf(question, tallies),
    behind: asOf && describeDelay(asOf),
  };
}

const describeDelay = ({ at, secondsBehind }: AsOf) =>
  `As of ${timeOfDay(at)}, ${counted(secondsBehind, "second")} behind.`;

type Lists = Behind;

/** Records which clients and records the lists behind numbers have shown. */
export async function auditBehind(actor: SessionUser, lists: readonly Lists[]): Promise<void> {
  for (const { entity, shown } of recordsOf(lists))
    await auditRead(actor, { action: "listed", entity, shown });
}

/**
 * Returns the ids in the lists by kind of record as the audit names it. Clients and forms are there even if there are
 * none, because every list may have them.
 */
export const recordsOf = (lists: readonly Lists[]) => [
  { entity: "client", shown: distinct(lists.flatMap(({ clients }) => clients)) },
  { entity: "form", shown: distinct(lists.flatMap(({ forms }) => forms)) },
  ...[
    { entity: "stay", shown: distinct(lists.flatMap(({ stays = [] }) => stays)) },
    { entity: "contact", shown: distinct(lists.flatMap(({ contacts = [] }) => contacts)) },
    { entity: "event", shown: distinct(lists.flatMap(({ events = [] }) => events)) },
    { entity: "outcomeSurvey", shown: distinct(lists.flatMap(({ surveys = [] }) => surveys)) },
  ].filter(({ shown }) => shown.length > 0),
];

const distinct = (ids: readonly number[]) => [...new Set(ids)];

type Seen = Required<Lists> & { line: string };

/**
 * Returns the clients and records behind lines that the actor may see, from one snapshot. Of all records, a client is included
 * only if the actor sees clients and one of the records that count there. All clients of one's own records are one's own.
 * Throws 422 for numbers that the actor may not see.
 */
async function readBehind(
  actor: SessionUser,
  requested: readonly { line: string; block: BlockName }[],
  question: Question,
): Promise<Map<string, Seen>> {
  assertSeesNumbers(actor, question);
  const isListed = question.ofOwnClients ? sql`TRUE` : OPENS;
  const clients = seesClients(actor) ? sql`hits.client_id IS NOT NULL AND ${isListed}` : sql`FALSE`;
  const ids = (id: Sql) => sql`coalesce(array_agg(DISTINCT ${id}) FILTER (WHERE ${id} IS NOT NULL), '{}')`;
  const query = (lines: readonly string[]) =>
    sql`, behind AS MATERIALIZED (
        SELECT DISTINCT line, client_id, form_id, stay_id, contact_id, event_id, survey_id FROM hits WHERE line = ANY(${lines}::text[]))
      SELECT line, coalesce(array_agg(DISTINCT hits.client_id) FILTER (WHERE ${clients}), '{}') AS clients,
        ${ids(sql`f.id`)} AS forms, ${ids(sql`st.id`)} AS stays,
        coalesce(array_agg(ct.id ORDER BY ct.contacted_on, ct.id) FILTER (WHERE ct.id IS NOT NULL), '{}') AS contacts,
        coalesce(array_agg(ev.id ORDER BY ev.held_on, ev.id) FILTER (WHERE ev.id IS NOT NULL), '{}') AS events,
        coalesce(array_agg(sv.id ORDER BY sv.counted_on, sv.id) FILTER (WHERE sv.id IS NOT NULL), '{}') AS surveys
      FROM behind AS hits ${openRecords(actor)}
      GROUP BY line`;
  return inSnapshot(async (read) => {
    const records = new Map<string, Seen>();
    for (const statement of statementsOf(question.report)) {
      const parts = requested.filter(({ block }) => statement.includes(block));
      const blocks = statement.filter((name) => parts.some(({ block }) => block === name));
      if (blocks.length === 0) continue;
      const lines = parts.map(({ line }) => line);
      for (const seen of await readHits<Seen>(blocks, question, query(lines), read))
        records.set(seen.line, seen);
    }
    return records;
  });
}

const NOTHING = { clients: [], forms: [], stays: [], contacts: [], events: [], surveys: [] };

/** Returns the lists that a line of the block has in the report's responses. */
function listsOf(
  report: ReportKey,
  block: BlockName,
  { clients, forms, stays, contacts, events, surveys }: Required<Lists>,
): Lists {
  if (countsStays(report)) return { clients, forms, stays, contacts, events, surveys };
  return {
    clients,
    forms,
    ...(block === "contacts" && { contacts }),
    ...(block === "events" && { events }),
  };
}

/** Returns the clients and records behind a line. The caller records the view. Throws 404 for an unknown line. */
export async function readLineRecords(
  actor: SessionUser,
  report: ReportKey,
  lineKey: string,
  asked: ReportQuery,
): Promise<Behind> {
  const line = lineOf(report, lineKey);
  if (!line) throw notFound();
  const requested = [{ line: lineKey, block: line.block }];
  const records = await readBehind(actor, requested, await questionOf(actor, report, asked));
  return listsOf(report, line.block, records.get(lineKey) ?? NOTHING);
}

/** `GET /api/reports/{key}/lines/{lineKey}`. */
export async function getLine(
  actor: SessionUser,
  report: ReportKey,
  lineKey: string,
  asked: ReportQuery,
): Promise<Behind> {
  const behind = await readLineRecords(actor, report, lineKey, asked);
  await auditBehind(actor, [behind]);
  return behind;
}

/** Returns the gap for a path segment. Throws 404 for one that the report does not list. */
export function parseGap(report: ReportKey, field: string) {
  const result = gapsIn(report).find((gap) => gap.field === field);
  if (!result) throw notFound();
  return { ...result, help: helpOf(result) };
}

/** Returns the clients and records behind one gap. The caller records the view. */
export async function readGapRecords(
  actor: SessionUser,
  report: ReportKey,
  { field, block, lists }: Pick<GapDefinition, "field" | "block" | "lists">,
  asked: ReportQuery,
): Promise<Behind> {
  const line = gapLine(field);
  const records = await readBehind(actor, [{ line, block }], await questionOf(actor, report, asked));
  const seen = records.get(line) ?? NOTHING;
  return { ...listsOf(report, block, seen), ...(lists && { stays: seen.stays }) };
}

/** `GET /api/reports/{key}/gaps`: the clients and records with gaps, as far as the actor may see them. */
export async function getGaps(actor: SessionUser, report: ReportKey, asked: ReportQuery): Promise<Gap[]> {
  const gaps = gapsIn(report, asked.formTypeId);
  const requested = gaps.map(({ field, block }) => ({ line: gapLine(field), block }));
  const records = await readBehind(actor, requested, await questionOf(actor, report, asked));
  await auditBehind(actor, [...records.values()]);
  return gaps.map((gap) => {
    const { field, label } = gap;
    const { clients, forms, stays, events } = records.get(gapLine(field)) ?? NOTHING;
    return {
      field,
      label,
      clients,
      forms,
      ...((countsStays(report) || gap.lists) && { stays }),
      ...(gap.block === "events" && { events }),
    };
  });
}
