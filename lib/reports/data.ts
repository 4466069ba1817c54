import "server-only";
import { forbidden, notFound } from "@/lib/api/errors";
import { auditRead } from "@/lib/audit/record";
import { can, type SessionUser } from "@/lib/auth/permissions";
import { andNotHidden, visibleFormsWhere } from "@/lib/auth/scope";
import { type Bind, binding } from "@/lib/database/bind";
import { type AsOf, MOST_BEHIND_S, replicaReader } from "@/lib/database/replica";
import { listRows, type ReadRows } from "@/lib/database/statements";
import { counted, timeOfDay } from "@/lib/fields/format";
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
import { yearsOf } from "@/lib/reports/periods";
import type { Asked, Behind, Report } from "@/lib/reports/schema";

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
    `SELECT s.year_start AS "yearStart", coalesce((SELECT json_agg(json_build_object('kind', m.kind, 'source', m.source,
        'formTypeId', m.form_type_id, 'line', m.line, 'validFrom', m.valid_from, 'validThrough', m.valid_through) ORDER BY m.id)
      FROM report_mappings m WHERE m.report = s.report), '[]') AS mappings
     FROM report_settings s WHERE s.report = $1`,
    [report],
  );
  return setup ?? { yearStart: reports[report].yearStart, mappings: [] };
}

/** What a block needs to know: the period, the filters and the setup, which is the stored one unless one is given. */
export async function questionOf(report: ReportKey, asked: Asked, setup?: Setup): Promise<Question> {
  const { yearStart, mappings } = setup ?? (await readSetup(report));
  return { ...asked, report, mappings, years: yearsOf(yearStart, asked.from, asked.to) };
}

/** Runs a block's statement; `query` is the SQL that reads its `hits`. */
export async function readHits<Row>(
  block: BlockName,
  question: Question,
  query: (bind: Bind) => string,
  read: ReadRows = listRows,
): Promise<Row[]> {
  const { values, bind } = binding();
  const parts = hitsOf(block, question, bind);
  return read<Row>(`report ${block}`, `${parts} ${query(bind)}`, values);
}

type Tally = { line: string; clients: number; forms: number; times: number; minutes: number };

const countOf = (unit: Unit, { clients, times, minutes }: Tally): number =>
  unit === "times" ? times : unit === "minutes" ? minutes : clients;

/** Counts all lines of a report, gaps included. The blocks run one after the other, because each keeps a processor busy. */
async function readTallies(
  report: ReportKey,
  question: Question,
  read: ReadRows,
): Promise<Map<string, Tally>> {
  const tallies = new Map<string, Tally>();
  for (const block of blocksOf(report)) {
    const sums = linesOf(report, block)
      .filter(({ unit }) => !countsClients(unit))
      .map(({ key }) => key);
    const found = await readHits<Tally>(
      block,
      question,
      // Grouping twice lets PostgreSQL hash; for count(DISTINCT …) it would sort, which is slower.
      () => `SELECT line, count(person)::int AS clients, sum(forms)::int AS forms, sum(times)::int AS times,
          sum(minutes)::int AS minutes
        FROM (${countsOf(block, sums)}) AS counts GROUP BY line`,
      read,
    );
    for (const tally of found) tallies.set(tally.line, tally);
  }
  return tallies;
}

/** Runs `work` on one snapshot of the database, so that what several statements read fits together. */
export const atOneMoment = async <Answer>(work: (read: ReadRows) => Promise<Answer>): Promise<Answer> =>
  (await replicaReader(0)).inOneSnapshot("report", work);

/** A gap with the number of clients and forms that have it. */
export type GapCount = {
  field: GapField;
  label: string;
  records: string;
  help: string;
  sections: readonly string[];
  clients: number;
  forms: number;
};

/**
 * A report with the counts of its gaps, read by `read` (`atOneMoment`). The numbers are exact and the same for every
 * caller, including those who may not open the records behind them.
 */
export async function readReport(
  report: ReportKey,
  question: Question,
  read: ReadRows,
): Promise<{ report: Report; gaps: GapCount[] }> {
  const { title, sections, notes } = reports[report];
  const tallies = await readTallies(report, question, read);
  return {
    report: {
      ...{ key: report, title, from: question.from, to: question.to },
      sections: sections.map(({ key, title: heading, lines }) => ({
        key,
        title: heading,
        lines: lines.map((line) => {
          const tally = tallies.get(line.key);
          return { ...line, count: tally ? countOf(line.unit, tally) : 0 };
        }),
      })),
      notes: [...notes],
    },
    gaps: GAPS.map(({ block: _, ...gap }) => {
      const { clients = 0, forms = 0 } = tallies.get(gapLine(gap.field)) ?? {};
      return { ...gap, clients, forms };
    }),
  };
}

/** `GET /api/reports/{key}`. */
export async function getReport(key: ReportKey, asked: Asked): Promise<Report> {
  const { report, behind } = await reportWithGaps(key, asked);
  return { ...report, notes: behind ? [behind, ...report.notes] : report.notes };
}

/**
 * The same with the counts of its gaps, and in words how far `behind` the numbers are where they are a replica's: totals
 * name nobody.
 */
export async function reportWithGaps(report: ReportKey, asked: Asked) {
  const question = await questionOf(report, asked);
  const reader = await replicaReader(MOST_BEHIND_S);
  const counted = await reader.inOneSnapshot("report", (read) => readReport(report, question, read));
  const asOf = reader.asOf();
  return { ...counted, behind: asOf && inWords(asOf) };
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
 * hidden (contract §2). 403 for a colleague's forms without All Forms.
 */
async function readBehind(
  actor: SessionUser,
  wanted: readonly { line: string; block: BlockName }[],
  question: Question,
): Promise<Map<string, Seen>> {
  if (!mayAskOf(actor, question.userId)) throw forbidden();
  const query = (lines: readonly string[]) => (bind: Bind) => {
    // Who is hidden from the actor counts in the totals of a report, but not here.
    const known = `TRUE${andNotHidden(actor, "hits.client_id", bind)}`;
    // Without Forms no form can be opened, whoever owns it.
    const visible = can(actor, "forms") ? visibleFormsWhere(actor, bind) : "FALSE";
    return `, behind AS MATERIALIZED (SELECT DISTINCT line, client_id, form_id FROM hits WHERE line = ANY(${bind(lines)}::text[]) AND ${known})
      SELECT line, count(DISTINCT behind.client_id)::int AS "allClients", count(DISTINCT behind.form_id)::int AS "allForms",
        coalesce(array_agg(DISTINCT behind.client_id) FILTER (WHERE f.id IS NOT NULL), '{}') AS clients,
        coalesce(array_agg(DISTINCT f.id) FILTER (WHERE f.id IS NOT NULL), '{}') AS forms
      FROM behind LEFT JOIN forms f ON f.id = behind.form_id AND ${visible}
      GROUP BY line`;
  };
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
  const question = await questionOf(report, asked);
  const wanted = [{ line: lineKey, block: line.section.block }];
  const seen = (await readBehind(actor, wanted, question)).get(lineKey);
  if (!seen) return NOTHING;
  const { clients, forms, allClients, allForms } = seen;
  return {
    clients,
    forms,
    hidden: countsClients(line.unit) ? allClients - clients.length : allForms - forms.length,
  };
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
  const seen = (await readBehind(actor, [{ line, block }], await questionOf(report, asked))).get(line);
  if (!seen) return NOTHING;
  return { clients: seen.clients, forms: seen.forms, hidden: seen.allClients - seen.clients.length };
}

export type Gap = { field: GapField; label: string; clients: number[]; forms: number[] };

/** `GET /api/reports/{key}/gaps`: the clients and forms that lack something, as far as the caller may see them. */
export async function getGaps(actor: SessionUser, report: ReportKey, asked: Asked): Promise<Gap[]> {
  const wanted = GAPS.map(({ field, block }) => ({ line: gapLine(field), block }));
  const seen = await readBehind(actor, wanted, await questionOf(report, asked));
  await auditBehind(actor, [...seen.values()]);
  return GAPS.map(({ field, label }) => {
    const { clients = [], forms = [] } = seen.get(gapLine(field)) ?? {};
    return { field, label, clients, forms };
  });
}
