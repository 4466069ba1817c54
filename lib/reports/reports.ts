import "server-only";
import { auditRead } from "@/lib/audit/record";
import { can, type SessionUser } from "@/lib/core/access/permissions";
import { type Hiding, openFormsWhere } from "@/lib/core/access/scope";
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
import type { Asked, Behind, ExactReport } from "@/lib/reports/schema";
import { type Exposure, isSmall, type Suppressed, suppressed } from "@/lib/reports/suppression";

/** The report that a path segment names; 404 for an unknown one. */
export function reportNamed(key: string): ReportKey {
  const known = REPORT_KEYS.find((candidate) => candidate === key);
  if (!known) throw notFound();
  return known;
}

/** What the organisation has set up for a report: the month in which its year starts, and its mappings. */
export type Setup = { yearStart: number; mappings: Mapping[] };

/** A report's setup, read by one statement. */
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

/** Returns what a block needs to know to count for `reader`, by the stored setup unless one is given. */
export async function questionOf(
  { hiddenClients }: Hiding,
  report: ReportKey,
  asked: Asked,
  setup?: Setup,
): Promise<Question> {
  const { yearStart, mappings } = setup ?? (await readSetup(report));
  return { ...asked, hiddenClients, report, mappings, years: yearsOf(yearStart, asked.from, asked.to) };
}

/** Runs a block's statement; `query` is the SQL that reads its `hits`. */
export async function readHits<Row>(
  block: BlockName,
  question: Question,
  query: Sql,
  read: ReadRows = listRows,
): Promise<Row[]> {
  return read<Row>(`report ${block}`, sql`${hitsOf(block, question)} ${query}`);
}

/** Counts of a line, or of the part of it on forms that a reader cannot open. */
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
  // Grouping twice lets PostgreSQL hash; for count(DISTINCT …) it would sort, which is slower.
  return sql`SELECT line, count(person)::int AS clients, sum(forms)::int AS forms, sum(times)::int AS times,
      sum(minutes)::int AS minutes, NULL AS others
    FROM (${countsOf(block, sums)}) AS counts GROUP BY line`;
}

/** The same with the part that the actor cannot list. */
const sharesOf = (actor: SessionUser): Sql =>
  sql`SELECT line, count(*)::int AS clients, sum(forms)::int AS forms, sum(times)::int AS times, sum(minutes)::int AS minutes,
     json_build_object('clients', count(*) FILTER (WHERE opened = 0), 'forms', sum(forms - opened),
       'times', sum(times) - sum(own_times), 'minutes', sum(minutes) - sum(own_minutes)) AS others
   FROM (
     SELECT line, client_id, count(*) AS forms, sum(times) AS times, sum(minutes) AS minutes,
       count(*) FILTER (WHERE opens) AS opened, coalesce(sum(times) FILTER (WHERE opens), 0) AS own_times,
       coalesce(sum(minutes) FILTER (WHERE opens), 0) AS own_minutes
     FROM (SELECT hits.*, ${openFormsWhere(actor)} AS opens FROM hits JOIN forms f ON f.id = hits.form_id) AS known
     GROUP BY line, client_id) AS counts
   GROUP BY line`;

/**
 * Counts all lines of a report, gaps included; for `actor`, also what of each they cannot list. The blocks run one after
 * the other, because each keeps a processor busy.
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

/** Runs `work` on one snapshot of the database, so that what several statements read fits together. */
export const atOneMoment = async <Answer>(work: (read: ReadRows) => Promise<Answer>): Promise<Answer> =>
  (await replicaReader(0)).inOneSnapshot("report", work);

/** A gap with the number of clients and forms that have it; null where that is suppressed. */
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

/** A report with exact counts, read by `read` (`atOneMoment`). */
export const readReport = async (question: Question, read: ReadRows): Promise<ExactReport> =>
  reportOf(question, await readTallies(question, read));

function reportOf({ report, from, to }: Question, tallies: ReadonlyMap<string, Tally>): ExactReport {
  const { title, sections, notes } = reports[report];
  return {
    ...{ key: report, title, from, to },
    sections: sections.map(({ key, title: heading, lines }) => ({
      key,
      title: heading,
      lines: lines.map((line) => ({ ...line, count: countOf(line.unit, tallies.get(line.key) ?? NONE) })),
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
 * True if the actor gets exact counts: always with All Forms, which opens every record that counts; otherwise only for
 * whole periods without filters, because other counts can be subtracted from each other to identify people.
 */
const isExactFor = (actor: SessionUser, { from, to, userId, formTypeId }: Asked, yearStart: number) =>
  can(actor, "all-forms") || (userId === null && formTypeId === null && isWhole({ from, to }, yearStart));

/** Counts a report for the actor, exactly or without small numbers; a copy to share is always without them. */
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
    if (share) return { ...suppressed(report), gaps: [] };
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
    // The whole period's exact report minus this one. Minus 0 it says no more than that report.
    const rest = around
      ? numbersOf(around.get(key)).map((number, at) => (own[at] ? number - own[at] : 0))
      : [];
    return { unknown: own[1] ?? 0, follows: [...own, ...rest] };
  };
  const isShown = ({ clients, forms, others }: Tally) =>
    ![clients, forms, others?.clients ?? 0, others?.forms ?? 0].some(isSmall);
  return { ...suppressed(reportOf(question, tallies), exposureOf), gaps: gapsOf(tallies, isShown) };
}

/** `GET /api/reports/{key}`, with the marks of suppressed lines. */
export async function getReport(
  actor: SessionUser,
  key: ReportKey,
  asked: Asked,
  share = false,
): Promise<Suppressed> {
  const { report, marks, behind } = await reportWithGaps(actor, key, asked, share);
  return { report: { ...report, notes: behind ? [behind, ...report.notes] : report.notes }, marks };
}

/**
 * A report as the actor may read it with the counts of its gaps, and in words how far `behind` the numbers are where they
 * are a replica's: totals name nobody.
 */
export async function reportWithGaps(actor: SessionUser, report: ReportKey, asked: Asked, share: boolean) {
  const setup = await readSetup(report);
  const question = await questionOf(actor, report, asked, setup);
  const reader = await replicaReader(MOST_BEHIND_S);
  const counted = await reader.inOneSnapshot("report", (read) =>
    readFor(actor, question, setup.yearStart, read, share),
  );
  const asOf = reader.asOf();
  return { ...counted, behind: asOf && inWords(asOf) };
}

/**
 * How many records behind a line or gap the actor cannot list: null if that number, or the line's count that it would
 * complete, is suppressed.
 */
async function hiddenFor(
  actor: SessionUser,
  question: Question,
  yearStart: number,
  line: string,
  hidden: number,
): Promise<Pick<Behind, "hidden" | "suppressed">> {
  if (hidden === 0 || isExactFor(actor, question, yearStart)) return { hidden };
  const { marks, gaps } = await atOneMoment((read) => readFor(actor, question, yearStart, read));
  const isWithheld =
    marks.has(line) || gaps.some((gap) => gapLine(gap.field) === line && gap.clients === null);
  return isWithheld || isSmall(hidden) ? { hidden: null, suppressed: true } : { hidden };
}

const inWords = ({ at, secondsBehind }: AsOf) =>
  `As of ${timeOfDay(at)}, ${counted(secondsBehind, "second")} behind.`;

/** Records which clients and forms a list behind numbers has shown. */
export async function auditBehind(
  actor: SessionUser,
  lists: readonly { clients: readonly number[]; forms: readonly number[] }[],
): Promise<void> {
  const shown = (ids: readonly number[]) => [...new Set(ids)];
  await auditRead(actor, {
    action: "listed",
    entity: "client",
    shown: shown(lists.flatMap(({ clients }) => clients)),
  });
  await auditRead(actor, {
    action: "listed",
    entity: "form",
    shown: shown(lists.flatMap(({ forms }) => forms)),
  });
}

type Seen = { line: string; clients: number[]; forms: number[]; allClients: number; allForms: number };

/** Whether the actor may see lists of that advocate's forms; null stands for everyone, which lists only what one may see. */
export const mayAskOf = (actor: SessionUser, userId: number | null) =>
  userId === null || userId === actor.userId || can(actor, "all-forms");

/**
 * The clients and forms behind lines that the actor may see, and how many the actor may know of, from one snapshot. A client
 * is included only if the actor may see one of the forms that count there: clients whom only colleagues served stay
 * hidden. 403 for a colleague's forms without All Forms.
 */
async function readBehind(
  actor: SessionUser,
  wanted: readonly { line: string; block: BlockName }[],
  question: Question,
): Promise<Map<string, Seen>> {
  if (!mayAskOf(actor, question.userId)) throw forbidden();
  const query = (lines: readonly string[]) =>
    sql`, behind AS MATERIALIZED (
        SELECT DISTINCT line, client_id, form_id FROM hits WHERE line = ANY(${lines}::text[]))
      SELECT line, count(DISTINCT behind.client_id)::int AS "allClients", count(DISTINCT behind.form_id)::int AS "allForms",
        coalesce(array_agg(DISTINCT behind.client_id) FILTER (WHERE f.id IS NOT NULL), '{}') AS clients,
        coalesce(array_agg(DISTINCT f.id) FILTER (WHERE f.id IS NOT NULL), '{}') AS forms
      FROM behind LEFT JOIN forms f ON f.id = behind.form_id AND ${openFormsWhere(actor)}
      GROUP BY line`;
  return atOneMoment(async (read) => {
    const found = new Map<string, Seen>();
    for (const block of new Set(wanted.map((part) => part.block))) {
      const lines = wanted.filter((part) => part.block === block).map(({ line }) => line);
      for (const seen of await readHits<Seen>(block, question, query(lines), read))
        found.set(seen.line, seen);
    }
    return found;
  });
}

const NOTHING: Behind = { clients: [], forms: [], hidden: 0 };

/** The clients and forms behind a line; that they are shown is for the caller to record. 404 for an unknown line. */
export async function behindLine(
  actor: SessionUser,
  report: ReportKey,
  lineKey: string,
  asked: Asked,
): Promise<Behind> {
  const line = lineOf(report, lineKey);
  if (!line) throw notFound();
  const setup = await readSetup(report);
  const question = await questionOf(actor, report, asked, setup);
  const wanted = [{ line: lineKey, block: line.section.block }];
  const seen = (await readBehind(actor, wanted, question)).get(lineKey);
  if (!seen) return NOTHING;
  const { clients, forms, allClients, allForms } = seen;
  const hidden = countsClients(line.unit) ? allClients - clients.length : allForms - forms.length;
  return { clients, forms, ...(await hiddenFor(actor, question, setup.yearStart, lineKey, hidden)) };
}

/** `GET /api/reports/{key}/lines/{lineKey}`. */
export async function getLine(
  actor: SessionUser,
  report: ReportKey,
  lineKey: string,
  asked: Asked,
): Promise<Behind> {
  const behind = await behindLine(actor, report, lineKey, asked);
  await auditBehind(actor, [behind]);
  return behind;
}

/** The gap that a path segment names; 404 for an unknown one. */
export function gapNamed(field: string) {
  const known = GAPS.find((gap) => gap.field === field);
  if (!known) throw notFound();
  return known;
}

/** The clients and forms behind one gap, likewise; `hidden` counts clients. */
export async function behindGap(
  actor: SessionUser,
  report: ReportKey,
  { field, block }: { field: GapField; block: BlockName },
  asked: Asked,
): Promise<Behind> {
  const line = gapLine(field);
  const setup = await readSetup(report);
  const question = await questionOf(actor, report, asked, setup);
  const seen = (await readBehind(actor, [{ line, block }], question)).get(line);
  if (!seen) return NOTHING;
  const { clients, forms, allClients } = seen;
  const hidden = allClients - clients.length;
  return { clients, forms, ...(await hiddenFor(actor, question, setup.yearStart, line, hidden)) };
}

export type Gap = { field: GapField; label: string; clients: number[]; forms: number[] };

/** `GET /api/reports/{key}/gaps`: the clients and forms that lack something, as far as the caller may see them. */
export async function getGaps(actor: SessionUser, report: ReportKey, asked: Asked): Promise<Gap[]> {
  const wanted = GAPS.map(({ field, block }) => ({ line: gapLine(field), block }));
  const seen = await readBehind(actor, wanted, await questionOf(actor, report, asked));
  await auditBehind(actor, [...seen.values()]);
  return GAPS.map(({ field, label }) => {
    const { clients = [], forms = [] } = seen.get(gapLine(field)) ?? {};
    return { field, label, clients, forms };
  });
}
