import "server-only";
import { auditRead } from "@/lib/audit/record";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import {
  type Hiding,
  openFormsWhere,
  seesClients,
  visibleContactsWhere,
  visibleStaysWhere,
} from "@/lib/core/access/scope";
import { forbidden, invalidFields, notFound } from "@/lib/core/api/errors";
import { type AsOf, MOST_BEHIND_S, replicaReader } from "@/lib/core/database/replica";
import { type Sql, sql } from "@/lib/core/database/sql";
import { listRows, type ReadRows } from "@/lib/core/database/statements";
import { counted, timeOfDay, today } from "@/lib/core/fields/format";
import type { Question } from "@/lib/reports/block-parts";
import { countsOf, hitsOf } from "@/lib/reports/blocks";
import {
  type BlockName,
  blocksOf,
  countsClients,
  countsStays,
  type Gap as GapDefinition,
  type GapField,
  gapLine,
  gapsIn,
  lineOf,
  linesOf,
  REPORT_KEYS,
  type ReportKey,
  reports,
  sectionsIn,
  type Unit,
} from "@/lib/reports/definitions";
import { BORROWED, type Mapping } from "@/lib/reports/mapping";
import { isShareable, isWhole, wholeAround, yearsOf } from "@/lib/reports/periods";
import type { Behind, ExactReport, Gap, ReportQuery } from "@/lib/reports/schema";
import { type Exposure, isSmall, type Suppressed, suppressSmallCounts } from "@/lib/reports/suppression";
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
export async function readSetup(report: ReportKey): Promise<CountingSetup> {
  const { from, kinds } = BORROWED[report];
  const [setup] = await listRows<CountingSetup>(
    "report setup",
    sql`SELECT s.year_start AS "yearStart", ${mappingsJson(sql`m.report = s.report`)} AS mappings,
       ${mappingsJson(sql`m.report = ${from} AND m.kind = ANY(${kinds}::text[])`)} AS borrowed
     FROM report_settings s WHERE s.report = ${report}`,
  );
  return setup ?? { yearStart: reports[report].yearStart, mappings: [], borrowed: [] };
}

/** Returns the input that a block needs to count for `reader`, with the stored setup unless `tried` replaces it. */
export async function questionOf(
  { hiddenClients }: Hiding,
  report: ReportKey,
  asked: ReportQuery,
  tried?: Setup,
): Promise<Question> {
  const stored = await readSetup(report);
  const { yearStart, mappings } = tried ?? stored;
  const years = yearsOf(yearStart, asked.from, asked.to);
  return {
    ...{ ...asked, hiddenClients, report, years },
    mappings: [...mappings, ...stored.borrowed],
    untracked: await readUntracked(),
  };
}

/** Runs a block's statement. `query` is the SQL that reads its `hits`. */
export async function readHits<Row>(
  block: BlockName,
  question: Question,
  query: Sql,
  read: ReadRows = listRows,
): Promise<Row[]> {
  return read<Row>(`report ${block}`, sql`${hitsOf(block, question)} ${query}`);
}

/** Counts of a line, or of its part on records that a reader cannot open. */
type Sums = { clients: number; records: number; times: number; minutes: number };
type Tally = Sums & { line: string; others: Sums | null };
const NONE: Sums = { clients: 0, records: 0, times: 0, minutes: 0 };

const countOf = (unit: Unit, { clients, times, minutes }: Sums): number => {
  if (countsClients(unit)) return clients;
  return unit === "minutes" ? minutes : times;
};

/** SQL that counts the lines of a block. */
function talliesOf(report: ReportKey, block: BlockName): Sql {
  const sums = linesOf(report, block)
    .filter(({ unit }) => !countsClients(unit))
    .map(({ key }) => key);
  // Grouping twice lets PostgreSQL hash. For count(DISTINCT …) it would sort, which is slower.
  return sql`SELECT line, count(person)::int AS clients, sum(records)::int AS records, sum(times)::int AS times,
      sum(minutes)::int AS minutes, NULL AS others
    FROM (${countsOf(block, sums)}) AS counts GROUP BY line`;
}

/** SQL that joins the record of each row of `hits` as `f`, `st`, or `ct` if the actor may open it. */
const openRecords = (actor: SessionUser): Sql =>
  sql`LEFT JOIN forms f ON f.id = hits.form_id AND ${openFormsWhere(actor)}
    LEFT JOIN stays st ON st.id = hits.stay_id AND ${visibleStaysWhere(actor)}
    LEFT JOIN contacts ct ON ct.id = hits.contact_id AND ${visibleContactsWhere(actor)}`;
/** SQL condition: the actor may open the record. */
const OPENS = sql`num_nonnulls(f.id, st.id, ct.id) > 0`;

/** SQL that also counts the part the actor cannot list. */
const sharesOf = (actor: SessionUser): Sql =>
  sql`SELECT line, count(*)::int AS clients, sum(records)::int AS records, sum(times)::int AS times, sum(minutes)::int AS minutes,
     json_build_object('clients', count(*) FILTER (WHERE opened = 0), 'records', sum(records - opened),
       'times', sum(times) - sum(own_times), 'minutes', sum(minutes) - sum(own_minutes)) AS others
   FROM (
     SELECT line, client_id, count(*) AS records, sum(times) AS times, sum(minutes) AS minutes,
       count(*) FILTER (WHERE opens) AS opened, coalesce(sum(times) FILTER (WHERE opens), 0) AS own_times,
       coalesce(sum(minutes) FILTER (WHERE opens), 0) AS own_minutes
     FROM (SELECT hits.*, ${OPENS} AS opens FROM hits ${openRecords(actor)}) AS known
     GROUP BY line, client_id) AS counts
   GROUP BY line`;

/**
 * Counts all lines of a report, including gaps; for `actor`, also the part of each that they cannot list. The blocks
 * run one after the other, because each keeps a processor busy.
 */
async function readTallies(
  question: Question,
  read: ReadRows,
  actor?: SessionUser,
): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  for (const block of blocksOf(question.report)) {
    const query = actor ? sharesOf(actor) : talliesOf(question.report, block);
    for (const tally of await readHits<Tally>(block, question, query, read)) tallies.set(tally.line, tally);
  }
  return tallies;
}

/** Runs `work` on one snapshot of the database, so that several statements see the same data. */
export const inSnapshot = async <Result>(work: (read: ReadRows) => Promise<Result>): Promise<Result> =>
  (await replicaReader(0)).inOneSnapshot("report", work);

/** A gap with the number of clients, and of forms or other records, that have it; null if suppressed. */
export type GapCount = GapDefinition & {
  clients: number | null;
  forms: number | null;
};

/** A report, the marks of its suppressed lines, and its gaps. */
type Counted = Suppressed & { gaps: GapCount[] };

/** Returns the numbers of a gap that a reader could compute: of all records, and of those they cannot list. */
const numbersOfGap = (gap: Tally | undefined) =>
  [gap, gap?.others].flatMap((sums) => [sums?.clients ?? 0, sums?.records ?? 0]);

/** Returns a report with exact counts, read by `read` (`inSnapshot`). */
export const readReport = async (question: Question, read: ReadRows): Promise<ExactReport> =>
  reportOf(question, await readTallies(question, read));

function reportOf(
  { report, from, to, formTypeId }: Question,
  tallies: ReadonlyMap<string, Tally>,
): ExactReport {
  const { title, notes } = reports[report];
  return {
    ...{ key: report, title, from, to },
    sections: sectionsIn(report, formTypeId).map(({ key, title: heading, lines }) => ({
      key,
      title: heading,
      lines: lines.map(({ key, label, unit, help }) => ({
        ...{ key, label, unit, help },
        count: countOf(unit, tallies.get(key) ?? NONE),
      })),
    })),
    notes: [...notes],
  };
}

const gapsOf = (
  { report, formTypeId }: Question,
  tallies: ReadonlyMap<string, Tally>,
  isShown: (field: GapField, gap: Tally) => boolean,
): GapCount[] =>
  gapsIn(report, formTypeId).map((gap) => {
    const tally = tallies.get(gapLine(gap.field));
    if (tally && !isShown(gap.field, tally)) return { ...gap, clients: null, forms: null };
    return { ...gap, clients: tally?.clients ?? 0, forms: tally?.records ?? 0 };
  });

/**
 * True if the actor gets exact counts: always with All Forms, which opens every counted record; otherwise only for
 * whole periods without filters, because other counts can be subtracted from each other to identify people.
 */
const isExactFor = (actor: SessionUser, { from, to, userId, formTypeId }: ReportQuery, yearStart: number) =>
  can(actor, "all-forms") || (userId === null && formTypeId === null && isWhole({ from, to }, yearStart));

/**
 * Counts a report for the actor, exactly or without small numbers. A copy to share never has small numbers.
 */
async function readFor(
  actor: SessionUser,
  question: Question,
  yearStart: number,
  read: ReadRows,
  share = false,
): Promise<Counted> {
  if (isExactFor(actor, question, yearStart)) {
    const tallies = await readTallies(question, read);
    const report = reportOf(question, tallies);
    if (share) return { ...suppressSmallCounts(report), gaps: [] };
    return { report, marks: new Map(), gaps: gapsOf(question, tallies, () => true) };
  }
  const tallies = await readTallies(question, read, actor);
  const whole = wholeAround(question, yearStart);
  const around =
    whole &&
    (await readTallies(
      {
        ...question,
        ...whole,
        ...{ userId: null, formTypeId: null, years: yearsOf(yearStart, whole.from, whole.to) },
      },
      read,
      actor,
    ));
  // The whole period's exact report minus this one. If this one is 0, the difference reveals no more than that report.
  const restOf = (own: readonly number[], whole: readonly number[]) =>
    around ? whole.map((number, at) => (own[at] ? number - own[at] : 0)) : [];
  const exposureOf = (key: string): Exposure => {
    const unit = lineOf(question.report, key)?.unit ?? "individuals";
    const numbersOf = (tally?: Tally) => {
      const others = tally?.others ?? NONE;
      const records = countsClients(unit) ? others.clients : others.records;
      return [countOf(unit, tally ?? NONE), countOf(unit, others), records];
    };
    const own = numbersOf(tallies.get(key));
    return { unknown: own[1] ?? 0, follows: [...own, ...restOf(own, numbersOf(around?.get(key)))] };
  };
  const suppressed = suppressSmallCounts(reportOf(question, tallies), exposureOf);
  const isShown = (field: GapField, tally: Tally) => {
    // The clients with this gap are those of the line.
    if (suppressed.marks.has(`${field}_not_reported`)) return false;
    const own = numbersOfGap(tally);
    return ![...own, ...restOf(own, numbersOfGap(around?.get(gapLine(field))))].some(isSmall);
  };
  return { ...suppressed, gaps: gapsOf(question, tallies, isShown) };
}

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
 * Returns a report as the actor may read it, with the counts of its gaps. If the numbers come from a replica, `behind`
 * is its delay. The view is not recorded, because totals identify no one.
 */
export async function reportWithGaps(
  actor: SessionUser,
  report: ReportKey,
  asked: ReportQuery,
  share: boolean,
) {
  const setup = await readSetup(report);
  if (share && !isShareable(report, asked, setup.yearStart, today()))
    throw invalidFields({
      share: `is for a whole ${reports[report].isYearly ? "fiscal year" : "quarter"} that has ended, without filters: differences between copies identify people`,
    });
  const question = await questionOf(actor, report, asked, setup);
  const reader = await replicaReader(MOST_BEHIND_S);
  const counted = await reader.inOneSnapshot("report", (read) =>
    readFor(actor, question, setup.yearStart, read, share),
  );
  const asOf = reader.asOf();
  return { ...counted, behind: asOf && describeDelay(asOf) };
}

/**
 * Returns the number of records behind a line or gap that the actor cannot list. Null and `suppressed` if it, or the
 * line's count that it would complete, is suppressed.
 */
async function hiddenFor(
  actor: SessionUser,
  question: Question,
  yearStart: number,
  line: string,
  hidden: number,
): Promise<Pick<Behind, "hidden" | "suppressed">> {
  if (hidden === 0 || isExactFor(actor, question, yearStart)) return { hidden };
  const { marks, gaps } = await inSnapshot((read) => readFor(actor, question, yearStart, read));
  const isWithheld =
    marks.has(line) || gaps.some((gap) => gapLine(gap.field) === line && gap.clients === null);
  return isWithheld || isSmall(hidden) ? { hidden: null, suppressed: true } : { hidden };
}

const describeDelay = ({ at, secondsBehind }: AsOf) =>
  `As of ${timeOfDay(at)}, ${counted(secondsBehind, "second")} behind.`;

type Lists = Pick<Behind, "clients" | "forms" | "stays" | "contacts">;

/** Records which clients, forms, stays, and contacts the lists behind numbers have shown. */
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
  ].filter(({ shown }) => shown.length > 0),
];

const distinct = (ids: readonly number[]) => [...new Set(ids)];

type Seen = Required<Lists> & { line: string; allClients: number; allRecords: number };

/**
 * True if the actor may see lists of that advocate's records. Null means all advocates: such a list has only records the
 * actor may see.
 */
export const maySeeFormsOf = (actor: SessionUser, userId: number | null) =>
  userId === null || userId === actor.userId || can(actor, "all-forms");

/**
 * Returns the clients and records behind lines that the actor may see, and the numbers of all of them, from one snapshot.
 * A client is included only if the actor sees clients and one of the records that count there. So clients served only by
 * colleagues stay hidden. Throws 403 for a colleague's records without All Forms.
 */
async function readBehind(
  actor: SessionUser,
  requested: readonly { line: string; block: BlockName }[],
  question: Question,
): Promise<Map<string, Seen>> {
  if (!maySeeFormsOf(actor, question.userId)) throw forbidden();
  const clients = seesClients(actor) ? sql`hits.client_id IS NOT NULL AND ${OPENS}` : sql`FALSE`;
  const ids = (id: Sql) => sql`coalesce(array_agg(DISTINCT ${id}) FILTER (WHERE ${id} IS NOT NULL), '{}')`;
  const query = (lines: readonly string[]) =>
    sql`, behind AS MATERIALIZED (
        SELECT DISTINCT line, client_id, form_id, stay_id, contact_id FROM hits WHERE line = ANY(${lines}::text[]))
      SELECT line, count(DISTINCT hits.client_id)::int AS "allClients", count(*)::int AS "allRecords",
        coalesce(array_agg(DISTINCT hits.client_id) FILTER (WHERE ${clients}), '{}') AS clients,
        ${ids(sql`f.id`)} AS forms, ${ids(sql`st.id`)} AS stays,
        coalesce(array_agg(ct.id ORDER BY ct.contacted_on, ct.id) FILTER (WHERE ct.id IS NOT NULL), '{}') AS contacts
      FROM behind AS hits ${openRecords(actor)}
      GROUP BY line`;
  return inSnapshot(async (read) => {
    const records = new Map<string, Seen>();
    for (const block of new Set(requested.map((part) => part.block))) {
      const lines = requested.filter((part) => part.block === block).map(({ line }) => line);
      for (const seen of await readHits<Seen>(block, question, query(lines), read))
        records.set(seen.line, seen);
    }
    return records;
  });
}

const NOTHING = { clients: [], forms: [], stays: [], contacts: [], allClients: 0, allRecords: 0 };

/** Returns the lists that a line of the block has in the report's responses. */
function listsOf(
  report: ReportKey,
  block: BlockName,
  { clients, forms, stays, contacts }: Required<Lists>,
): Lists {
  if (countsStays(report)) return { clients, forms, stays, contacts };
  return { clients, forms, ...(block === "contacts" && { contacts }) };
}

/** Returns the number of records of the lists. */
const recordsIn = ({ forms, stays, contacts }: Required<Lists>) =>
  forms.length + stays.length + contacts.length;

/**
 * Returns the clients and records behind a line. `hidden` counts clients on a line of clients, otherwise records. The
 * caller records the view. Throws 404 for an unknown line.
 */
export async function readLineRecords(
  actor: SessionUser,
  report: ReportKey,
  lineKey: string,
  asked: ReportQuery,
): Promise<Behind> {
  const line = lineOf(report, lineKey);
  if (!line) throw notFound();
  const setup = await readSetup(report);
  const question = await questionOf(actor, report, asked, setup);
  const requested = [{ line: lineKey, block: line.block }];
  const seen = (await readBehind(actor, requested, question)).get(lineKey) ?? NOTHING;
  const hidden = countsClients(line.unit)
    ? seen.allClients - seen.clients.length
    : seen.allRecords - recordsIn(seen);
  const rest = await hiddenFor(actor, question, setup.yearStart, lineKey, hidden);
  return { ...listsOf(report, line.block, seen), ...rest };
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
  return result;
}

/** Returns the clients and records behind one gap; `hidden` counts clients, or stays. The caller records the view. */
export async function readGapRecords(
  actor: SessionUser,
  report: ReportKey,
  { field, block, lists }: Pick<GapDefinition, "field" | "block" | "lists">,
  asked: ReportQuery,
): Promise<Behind> {
  const line = gapLine(field);
  const setup = await readSetup(report);
  const question = await questionOf(actor, report, asked, setup);
  const seen = (await readBehind(actor, [{ line, block }], question)).get(line) ?? NOTHING;
  const hidden =
    block === "shelter" ? seen.allRecords - recordsIn(seen) : seen.allClients - seen.clients.length;
  const rest = await hiddenFor(actor, question, setup.yearStart, line, hidden);
  return { ...listsOf(report, block, seen), ...(lists && { stays: seen.stays }), ...rest };
}

/** `GET /api/reports/{key}/gaps`: the clients and records with gaps, as far as the actor may see them. */
export async function getGaps(actor: SessionUser, report: ReportKey, asked: ReportQuery): Promise<Gap[]> {
  const gaps = gapsIn(report, asked.formTypeId);
  const requested = gaps.map(({ field, block }) => ({ line: gapLine(field), block }));
  const records = await readBehind(actor, requested, await questionOf(actor, report, asked));
  await auditBehind(actor, [...records.values()]);
  return gaps.map((gap) => {
    const { field, label } = gap;
    const { clients, forms, stays } = records.get(gapLine(field)) ?? NOTHING;
    return { field, label, clients, forms, ...((countsStays(report) || gap.lists) && { stays }) };
  });
}
