import "server-only";
import { forbidden, notFound } from "@/lib/api/errors";
import { auditRead } from "@/lib/audit/record";
import { can, type SessionUser } from "@/lib/auth/permissions";
import { visibleFormsWhere } from "@/lib/auth/scope";
import { type Bind, binding } from "@/lib/database/bind";
import { inOneSnapshot, listRows, type ReadRows } from "@/lib/database/statements";
import { hitsOf, type Question } from "@/lib/reports/blocks";
import {
  type BlockName,
  GAPS,
  type GapField,
  gapLine,
  lineOf,
  REPORT_KEYS,
  type ReportKey,
  reports,
  type Unit,
} from "@/lib/reports/definitions";
import type { Mapping } from "@/lib/reports/mapping";
import { yearsOf } from "@/lib/reports/periods";
import type { Asked, Behind, Report } from "@/lib/reports/schema";

/** The report of a path segment; 404 for any other. */
export function reportNamed(key: string): ReportKey {
  const known = REPORT_KEYS.find((candidate) => candidate === key);
  if (!known) throw notFound();
  return known;
}

/** What the organisation has set for a report: the month its year starts in, and its mappings. */
export type Setup = { yearStart: number; mappings: Mapping[] };

/** Reads a report's setup by one statement. */
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

/** What the blocks are asked, with the organisation's setup or one that is being tried. */
export async function questionOf(report: ReportKey, asked: Asked, setup?: Setup): Promise<Question> {
  const { yearStart, mappings } = setup ?? (await readSetup(report));
  return { ...asked, mappings, years: yearsOf(yearStart, asked.from, asked.to) };
}

/** Rows of a block's statement, of which `query` reads `hits`. */
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

/**
 * The tallies of all lines of these blocks, gaps among them, as they were at one moment. One after the other: each keeps
 * a processor busy.
 */
export function readTallies(blocks: Iterable<BlockName>, question: Question): Promise<Map<string, Tally>> {
  return inOneSnapshot("report", async (read) => {
    const tallies = new Map<string, Tally>();
    for (const block of new Set(blocks)) {
      const found = await readHits<Tally>(
        block,
        question,
        // In two steps, which PostgreSQL hashes; it would sort for count(DISTINCT …).
        () => `SELECT line, count(*)::int AS clients, sum(forms)::int AS forms, sum(times)::int AS times, sum(minutes)::int AS minutes
          FROM (SELECT line, client_id, count(*) AS forms, sum(times) AS times, sum(minutes) AS minutes
            FROM hits GROUP BY line, client_id) AS by_client GROUP BY line`,
        read,
      );
      for (const tally of found) tallies.set(tally.line, tally);
    }
    return tallies;
  });
}

/** How many clients and forms have a gap. */
export type GapCount = {
  field: GapField;
  label: string;
  help: string;
  sections: readonly string[];
  clients: number;
  forms: number;
};

/** A report with the counts of its gaps. Numbers are exact and the same for everyone: who may not see records sees them too. */
export async function readReport(
  report: ReportKey,
  question: Question,
): Promise<{ report: Report; gaps: GapCount[] }> {
  const { title, sections, notes } = reports[report];
  const tallies = await readTallies(
    sections.map(({ block }) => block),
    question,
  );
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
export const getReport = async (report: ReportKey, asked: Asked): Promise<Report> =>
  (await readReport(report, await questionOf(report, asked))).report;

/** Records which clients a list behind numbers has shown; their forms are known by them. */
const auditList = (actor: SessionUser, clients: Iterable<number>) =>
  auditRead(actor, { action: "listed", entity: "client", shown: [...new Set(clients)] });

type Seen = { line: string; clients: number[]; forms: number[]; allClients: number; allForms: number };

/** Whether the actor may ask what stands behind numbers of that advocate's forms; null: everyone's. */
export const mayAskOf = (actor: SessionUser, userId: number | null) =>
  userId === null || userId === actor.userId || can(actor, "all-forms");

/**
 * What stands behind lines of a block, as far as the actor may see it, and how much there is. A client is answered only
 * where the actor may see one of their forms there: whom colleagues have served is as if it were not there (contract §2).
 * 403 for a colleague's forms, without All Forms.
 */
async function readBehind(
  actor: SessionUser,
  block: BlockName,
  lines: readonly string[],
  question: Question,
): Promise<Map<string, Seen>> {
  if (!mayAskOf(actor, question.userId)) throw forbidden();
  const found = await readHits<Seen>(block, question, (bind) => {
    // Who holds no Forms opens no form, whatever the scope says of whose they are.
    const visible = can(actor, "forms") ? visibleFormsWhere(actor, bind) : "FALSE";
    return `, behind AS MATERIALIZED (SELECT DISTINCT line, client_id, form_id FROM hits WHERE line = ANY(${bind(lines)}::text[]))
      SELECT line, count(DISTINCT behind.client_id)::int AS "allClients", count(DISTINCT behind.form_id)::int AS "allForms",
        coalesce(array_agg(DISTINCT behind.client_id) FILTER (WHERE f.id IS NOT NULL), '{}') AS clients,
        coalesce(array_agg(DISTINCT f.id) FILTER (WHERE f.id IS NOT NULL), '{}') AS forms
      FROM behind LEFT JOIN forms f ON f.id = behind.form_id AND ${visible}
      GROUP BY line`;
  });
  return new Map(found.map((seen) => [seen.line, seen]));
}

/** `GET /api/reports/{key}/lines/{lineKey}`; 404 for a line that the report does not have. */
export async function getLine(
  actor: SessionUser,
  report: ReportKey,
  lineKey: string,
  asked: Asked,
): Promise<Behind> {
  const line = lineOf(report, lineKey);
  if (!line) throw notFound();
  const question = await questionOf(report, asked);
  const seen = (await readBehind(actor, line.section.block, [lineKey], question)).get(lineKey);
  await auditList(actor, seen?.clients ?? []);
  if (!seen) return { clients: [], forms: [], hidden: 0 };
  const { clients, forms, allClients, allForms } = seen;
  const ofClients = line.unit === "individuals" || line.unit === "new";
  return { clients, forms, hidden: ofClients ? allClients - clients.length : allForms - forms.length };
}

/** What stands behind one gap; `hidden` is of clients. */
export async function getGap(
  actor: SessionUser,
  report: ReportKey,
  { field, block }: { field: GapField; block: BlockName },
  asked: Asked,
): Promise<Behind> {
  const line = gapLine(field);
  const seen = (await readBehind(actor, block, [line], await questionOf(report, asked))).get(line);
  await auditList(actor, seen?.clients ?? []);
  if (!seen) return { clients: [], forms: [], hidden: 0 };
  return { clients: seen.clients, forms: seen.forms, hidden: seen.allClients - seen.clients.length };
}

export type Gap = { field: GapField; label: string; clients: number[]; forms: number[] };

/** `GET /api/reports/{key}/gaps`: what is lacking, of what the caller may see. */
export async function getGaps(actor: SessionUser, report: ReportKey, asked: Asked): Promise<Gap[]> {
  const question = await questionOf(report, asked);
  const seen = new Map<string, Seen>();
  for (const block of new Set(GAPS.map((gap) => gap.block))) {
    const lines = GAPS.filter((gap) => gap.block === block).map(({ field }) => gapLine(field));
    for (const [line, found] of await readBehind(actor, block, lines, question)) seen.set(line, found);
  }
  await auditList(
    actor,
    [...seen.values()].flatMap(({ clients }) => clients),
  );
  return GAPS.map(({ field, label }) => {
    const { clients = [], forms = [] } = seen.get(gapLine(field)) ?? {};
    return { field, label, clients, forms };
  });
}
