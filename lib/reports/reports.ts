import "server-only";
import { auditRead } from "@/lib/audit/record";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { type Hiding, openFormsWhere, visibleContactsWhere } from "@/lib/core/access/scope";
import { forbidden, notFound } from "@/lib/core/api/errors";
import { type AsOf, MOST_BEHIND_S, replicaReader } from "@/lib/core/database/replica";
import { type Sql, sql } from "@/lib/core/database/sql";
import { listRows, type ReadRows } from "@/lib/core/database/statements";
import { counted, timeOfDay } from "@/lib/core/fields/format";
import { countsOf, hitsOf, type Question } from "@/lib/reports/blocks";
import {
  type BlockName,
  blocksOf,
  countsClients,
  GAPS,
  type GapField,
  gapLine,
  lineOf,
  linesOf,
  REPORT_KEYS,
  type ReportKey,
  reports,
  type Unit,
} from "@/lib/reports/definitions";
import type { Mapping } from "@/lib/reports/mapping";
import { isWhole, wholeAround, yearsOf } from "@/lib/reports/periods";
import type { Behind, ExactReport, ReportQuery } from "@/lib/reports/schema";
import { type Exposure, isSmall, type Suppressed, suppressSmallCounts } from "@/lib/reports/suppression";
import { readUntracked } from "@/lib/reports/untracked";

/** Returns the report for a path segment. Throws 404 for an unknown one. */
export function parseReportKey(key: string): ReportKey {
  const report = REPORT_KEYS.find((candidate) => candidate === key);
  if (!report) throw notFound();
  return report;
}

/** An organization's setup for a report: the month in which its year starts, and its mappings. */
export type Setup = { yearStart: number; mappings: Mapping[] };

/** Returns a report's setup, read in one statement. */
export async function readSetup(report: ReportKey): Promise<Setup> {
  const [setup] = await listRows<Setup>(
    "report setup",
    sql`SELECT s.year_start AS "yearStart", coalesce((SELECT json_agg(json_build_object('kind', m.kind, 'source', m.source,
        'formTypeId', m.form_type_id, 'line', m.line, 'validFrom', m.valid_from, 'validThrough', m.valid_through) ORDER BY m.id)
      FROM report_mappings m WHERE m.report = s.report), '[]') AS mappings
     FROM report_settings s WHERE s.report = ${report}`,
  );
  return setup ?? { yearStart: reports[report].yearStart, mappings: [] };
}

/** Returns the input that a block needs to count for `reader`, with the stored setup unless one is given. */
export async function questionOf(
  { hiddenClients }: Hiding,
  report: ReportKey,
  asked: ReportQuery,
  setup?: Setup,
): Promise<Question> {
  const { yearStart, mappings } = setup ?? (await readSetup(report));
  const years = yearsOf(yearStart, asked.from, asked.to);
  return { ...asked, hiddenClients, report, mappings, years, untracked: await readUntracked() };
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

/** Counts of a line, or of its part on forms that a reader cannot open. */
type Sums = { clients: number; forms: number; times: number; minutes: number };
type Tally = Sums & { line: string; others: Sums | null };
const NONE: Sums = { clients: 0, forms: 0, times: 0, minutes: 0 };

const countOf = (unit: Unit, { clients, times, minutes }: Sums): number =>
  unit === "times" ? times : unit === "minutes" ? minutes : clients;

/** SQL that counts the lines of a block. */
function talliesOf(report: ReportKey, block: BlockName): Sql {
  const sums = linesOf(report, block)
    .filter(({ unit }) => !countsClients(unit))
    .map(({ key }) => key);
  // Grouping twice lets PostgreSQL hash. For count(DISTINCT …) it would sort, which is slower.
  return sql`SELECT line, count(person)::int AS clients, sum(forms)::int AS forms, sum(times)::int AS times,
      sum(minutes)::int AS minutes, NULL AS others
    FROM (${countsOf(block, sums)}) AS counts GROUP BY line`;
}

/** SQL for the rows of `hits`, of which the actor opens those that they may list. */
const openedHits = (actor: SessionUser, block: BlockName): Sql =>
  block === "contacts"
    ? sql`SELECT hits.*, ${visibleContactsWhere(actor)} AS opens FROM hits JOIN contacts ct ON ct.id = hits.contact_id`
    : sql`SELECT hits.*, ${openFormsWhere(actor)} AS opens FROM hits JOIN forms f ON f.id = hits.form_id`;

/** SQL that also counts the part the actor cannot list. */
const sharesOf = (actor: SessionUser, block: BlockName): Sql =>
  sql`SELECT line, count(*)::int AS clients, sum(forms)::int AS forms, sum(times)::int AS times, sum(minutes)::int AS minutes,
     json_build_object('clients', count(*) FILTER (WHERE opened = 0), 'forms', sum(forms - opened),
       'times', sum(times) - sum(own_times), 'minutes', sum(minutes) - sum(own_minutes)) AS others
   FROM (
     SELECT line, client_id, count(*) AS forms, sum(times) AS times, sum(minutes) AS minutes,
       count(*) FILTER (WHERE opens) AS opened, coalesce(sum(times) FILTER (WHERE opens), 0) AS own_times,
       coalesce(sum(minutes) FILTER (WHERE opens), 0) AS own_minutes
     FROM (${openedHits(actor, block)}) AS known
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
    const query = actor ? sharesOf(actor, block) : talliesOf(question.report, block);
    for (const tally of await readHits<Tally>(block, question, query, read)) tallies.set(tally.line, tally);
  }
  return tallies;
}

/** Runs `work` on one snapshot of the database, so that several statements see the same data. */
export const inSnapshot = async <Result>(work: (read: ReadRows) => Promise<Result>): Promise<Result> =>
  (await replicaReader(0)).inOneSnapshot("report", work);

/** A gap with the number of clients and forms that have it; null if suppressed. */
export type GapCount = {
  field: GapField;
  label: string;
  records: string;
  help: string;
  sections: readonly string[];
  clients: number | null;
  forms: number | null;
};

/** A report, the marks of its suppressed lines, and its gaps. */
type Counted = Suppressed & { gaps: GapCount[] };

/** Returns a report with exact counts, read by `read` (`inSnapshot`). */
export const readReport = async (question: Question, read: ReadRows): Promise<ExactReport> =>
  reportOf(question, await readTallies(question, read));

function reportOf({ report, from, to }: Question, tallies: ReadonlyMap<string, Tally>): ExactReport {
  const { title, sections, notes } = reports[report];
  return {
    ...{ key: report, title, from, to },
    sections: sections.map(({ key, title: heading, lines }) => ({
      key,
      title: heading,
      lines: lines.map(({ block: _, ...line }) => ({
        ...line,
        count: countOf(line.unit, tallies.get(line.key) ?? NONE),
      })),
    })),
    notes: [...notes],
  };
}

const gapsOf = (tallies: ReadonlyMap<string, Tally>, isShown: (gap: Tally) => boolean): GapCount[] =>
  GAPS.map(({ block: _, ...gap }) => {
    const tally = tallies.get(gapLine(gap.field));
    if (tally && !isShown(tally)) return { ...gap, clients: null, forms: null };
    return { ...gap, clients: tally?.clients ?? 0, forms: tally?.forms ?? 0 };
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
    return { report, marks: new Map(), gaps: gapsOf(tallies, () => true) };
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
  const exposureOf = (key: string): Exposure => {
    const unit = lineOf(question.report, key)?.unit ?? "individuals";
    const numbersOf = (tally?: Tally) => {
      const others = tally?.others ?? NONE;
      const records = countsClients(unit) ? others.clients : others.forms;
      return [countOf(unit, tally ?? NONE), countOf(unit, others), records];
    };
    const own = numbersOf(tallies.get(key));
    // The whole period's exact report minus this one. If this one is 0, the difference reveals no more than that
    // report.
    const rest = around
      ? numbersOf(around.get(key)).map((number, at) => (own[at] ? number - own[at] : 0))
      : [];
    return { unknown: own[1] ?? 0, follows: [...own, ...rest] };
  };
  const isShown = ({ clients, forms, others }: Tally) =>
    ![clients, forms, others?.clients ?? 0, others?.forms ?? 0].some(isSmall);
  return { ...suppressSmallCounts(reportOf(question, tallies), exposureOf), gaps: gapsOf(tallies, isShown) };
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

/** Records which contacts the list behind a number has shown. */
export const auditContacts = (actor: SessionUser, contacts: readonly number[]): Promise<void> =>
  auditRead(actor, { action: "listed", entity: "contact", shown: contacts });

/** Records which clients and forms the lists behind numbers have shown. */
export async function auditBehind(
  actor: SessionUser,
  lists: readonly { clients: readonly number[]; forms: readonly number[] }[],
): Promise<void> {
  const distinct = (ids: readonly number[]) => [...new Set(ids)];
  await auditRead(actor, {
    action: "listed",
    entity: "client",
    shown: distinct(lists.flatMap(({ clients }) => clients)),
  });
  await auditRead(actor, {
    action: "listed",
    entity: "form",
    shown: distinct(lists.flatMap(({ forms }) => forms)),
  });
}

type Seen = { line: string; clients: number[]; forms: number[]; allClients: number; allForms: number };

/**
 * True if the actor may see lists of that advocate's forms. Null means all advocates: such a list has only forms the
 * actor may see.
 */
export const maySeeFormsOf = (actor: SessionUser, userId: number | null) =>
  userId === null || userId === actor.userId || can(actor, "all-forms");

/**
 * Returns the clients and forms behind lines that the actor may see, and the numbers of all of them, from one snapshot.
 * A client is included only if the actor may see one of the forms that count there. So clients served only by
 * colleagues stay hidden. Throws 403 for a colleague's forms without All Forms.
 */
async function readBehind(
  actor: SessionUser,
  requested: readonly { line: string; block: BlockName }[],
  question: Question,
): Promise<Map<string, Seen>> {
  if (!maySeeFormsOf(actor, question.userId)) throw forbidden();
  const query = (lines: readonly string[]) =>
    sql`, behind AS MATERIALIZED (
        SELECT DISTINCT line, client_id, form_id FROM hits WHERE line = ANY(${lines}::text[]))
      SELECT line, count(DISTINCT behind.client_id)::int AS "allClients", count(DISTINCT behind.form_id)::int AS "allForms",
        coalesce(array_agg(DISTINCT behind.client_id) FILTER (WHERE f.id IS NOT NULL), '{}') AS clients,
        coalesce(array_agg(DISTINCT f.id) FILTER (WHERE f.id IS NOT NULL), '{}') AS forms
      FROM behind LEFT JOIN forms f ON f.id = behind.form_id AND ${openFormsWhere(actor)}
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

const NOTHING: Behind = { clients: [], forms: [], hidden: 0 };

/** Returns the contacts behind a line that the actor may see, and the number of all of them. */
async function readContactsBehind(
  actor: SessionUser,
  line: string,
  question: Question,
): Promise<{ contacts: number[]; all: number }> {
  if (!maySeeFormsOf(actor, question.userId)) throw forbidden();
  const query = sql`SELECT count(*)::int AS all,
      coalesce(array_agg(ct.id ORDER BY ct.contacted_on, ct.id) FILTER (WHERE ${visibleContactsWhere(actor)}), '{}') AS contacts
    FROM hits JOIN contacts ct ON ct.id = hits.contact_id WHERE line = ${line}`;
  return inSnapshot(async (read) => {
    const [row] = await readHits<{ contacts: number[]; all: number }>("contacts", question, query, read);
    return row ?? { contacts: [], all: 0 };
  });
}

/**
 * Returns the clients and forms, or the contacts, behind a line. The caller records the view. Throws 404 for an unknown
 * line.
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
  if (line.block === "contacts") {
    const { contacts, all } = await readContactsBehind(actor, lineKey, question);
    const rest = await hiddenFor(actor, question, setup.yearStart, lineKey, all - contacts.length);
    return { ...NOTHING, contacts, ...rest };
  }
  const requested = [{ line: lineKey, block: line.block }];
  const records = (await readBehind(actor, requested, question)).get(lineKey);
  if (!records) return NOTHING;
  const { clients, forms, allClients, allForms } = records;
  const hidden = countsClients(line.unit) ? allClients - clients.length : allForms - forms.length;
  return { clients, forms, ...(await hiddenFor(actor, question, setup.yearStart, lineKey, hidden)) };
}

/** `GET /api/reports/{key}/lines/{lineKey}`. */
export async function getLine(
  actor: SessionUser,
  report: ReportKey,
  lineKey: string,
  asked: ReportQuery,
): Promise<Behind> {
  const behind = await readLineRecords(actor, report, lineKey, asked);
  await (behind.contacts ? auditContacts(actor, behind.contacts) : auditBehind(actor, [behind]));
  return behind;
}

/** Returns the gap for a path segment. Throws 404 for an unknown one. */
export function parseGap(field: string) {
  const result = GAPS.find((gap) => gap.field === field);
  if (!result) throw notFound();
  return result;
}

/** Returns the clients and forms behind one gap; `hidden` counts clients. The caller records the view. */
export async function readGapRecords(
  actor: SessionUser,
  report: ReportKey,
  { field, block }: { field: GapField; block: BlockName },
  asked: ReportQuery,
): Promise<Behind> {
  const line = gapLine(field);
  const setup = await readSetup(report);
  const question = await questionOf(actor, report, asked, setup);
  const records = (await readBehind(actor, [{ line, block }], question)).get(line);
  if (!records) return NOTHING;
  const { clients, forms, allClients } = records;
  const hidden = allClients - clients.length;
  return { clients, forms, ...(await hiddenFor(actor, question, setup.yearStart, line, hidden)) };
}

export type Gap = { field: GapField; label: string; clients: number[]; forms: number[] };

/** `GET /api/reports/{key}/gaps`: the clients and forms with gaps, as far as the actor may see them. */
export async function getGaps(actor: SessionUser, report: ReportKey, asked: ReportQuery): Promise<Gap[]> {
  const requested = GAPS.map(({ field, block }) => ({ line: gapLine(field), block }));
  const records = await readBehind(actor, requested, await questionOf(actor, report, asked));
  await auditBehind(actor, [...records.values()]);
  return GAPS.map(({ field, label }) => {
    const { clients = [], forms = [] } = records.get(gapLine(field)) ?? {};
    return { field, label, clients, forms };
  });
}
