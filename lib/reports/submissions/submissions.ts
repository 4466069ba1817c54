import "server-only";
import { differences } from "@/lib/audit/changes";
import { audit, auditRead } from "@/lib/audit/record";
import { can, fullName, type SessionUser } from "@/lib/core/access/permissions";
import {
  NOBODY_HIDDEN,
  notHidden,
  openFormsWhere,
  REMAINING,
  visibleContactsWhere,
  withoutActor,
} from "@/lib/core/access/scope";
import { notFound } from "@/lib/core/api/errors";
import type { Table } from "@/lib/core/api/files";
import { db, queryIn, rows } from "@/lib/core/database/client";
import { type Sql, sql } from "@/lib/core/database/sql";
import type { CsvRow } from "@/lib/core/fields/csv";
import { counted, utcDay } from "@/lib/core/fields/format";
import { Prisma } from "@/lib/generated/prisma/client";
import { hitsOf, type Question } from "@/lib/reports/blocks";
import {
  blocksOf,
  countsClients,
  lineOf,
  linesOf,
  type ReportKey,
  UNITS,
  type Unit,
} from "@/lib/reports/definitions";
import type { Period } from "@/lib/reports/periods";
import {
  auditBehind,
  auditContacts,
  inSnapshot,
  questionOf,
  readHits,
  readReport,
} from "@/lib/reports/reports";
import type { ReportQuery } from "@/lib/reports/schema";
import {
  CHANGE_WORDS,
  type Submission,
  type Submitted,
  type SubmittedLine,
} from "@/lib/reports/submissions/schema";
import { withheldCount } from "@/lib/reports/submissions/withheld";

const everyone = (period: Period): ReportQuery => ({ ...period, userId: null, formTypeId: null });

/**
 * SQL for the amount that a row of `hits` adds to its line: its times, its minutes, or 1 on lines that count clients.
 */
function amountOf(report: ReportKey): Sql {
  const keys = (unit: Unit) =>
    linesOf(report)
      .filter((line) => line.unit === unit)
      .map(({ key }) => key);
  return sql`CASE WHEN line = ANY(${keys("times")}::text[]) THEN times
    WHEN line = ANY(${keys("minutes")}::text[]) THEN minutes ELSE 1 END`;
}

const WHO = { user: { select: { firstName: true, lastName: true } } } as const;
type Stored = Prisma.ReportSubmissionGetPayload<{ include: typeof WHO }>;
const asResponse = ({ id, fromOn, toOn, submittedAt, user }: Stored): Submission => ({
  ...{ id, from: utcDay(fromOn), to: utcDay(toOn), submittedAt: submittedAt.toISOString() },
  submittedBy: user && fullName(user),
});

/** Returns the submissions of a report, or only those of `period`, latest first. */
export async function listSubmissions(
  actor: SessionUser,
  report: ReportKey,
  period?: Period,
): Promise<Submission[]> {
  const submissions = await db().reportSubmission.findMany({
    where: { report, ...(period && { fromOn: new Date(period.from), toOn: new Date(period.to) }) },
    include: WHO,
    orderBy: { id: "desc" },
    take: 100,
  });
  await auditRead(actor, { action: "listed", entity: "submission", shown: submissions.map(({ id }) => id) });
  return submissions.map(asResponse);
}

/**
 * Stores the current report from one snapshot of the database: the records behind each line with their lock versions,
 * and the numbers counted from these records. The submission is complete, even if clients are hidden from the actor,
 * because the organization reports all of its work. Each reader sees the submission without the clients hidden from
 * them.
 */
export async function submit(actor: SessionUser, report: ReportKey, period: Period): Promise<Submission> {
  const question = await questionOf(NOBODY_HIDDEN, report, everyone(period));
  return db().$transaction(
    async (tx) => {
      const query = queryIn(tx);
      const { id } = await tx.reportSubmission.create({
        data: { report, fromOn: new Date(period.from), toOn: new Date(period.to), userId: actor.userId },
      });
      const keys = linesOf(report).map(({ key }) => key);
      for (const block of blocksOf(report)) {
        if (block === "contacts") await query(storeContacts(id, question));
        else
          await query(
            // biome-ignore lint/plugin: hits are what the question counts
            sql`${hitsOf(block, question)} INSERT INTO report_submission_records
             (submission_id, line, client_id, form_id, client_version, form_version, amount)
           SELECT ${id}::int, line, c.id, f.id, c.lock_version, f.lock_version, ${amountOf(report)}
           FROM hits JOIN clients c ON c.id = hits.client_id JOIN forms f ON f.id = hits.form_id
           WHERE line = ANY(${keys}::text[])`,
          );
      }
      const sums = await query<{ line: string; clients: number; amount: number }>(
        sql`SELECT line, count(DISTINCT client_id)::int AS clients, sum(amount)::int AS amount
         FROM report_submission_records WHERE submission_id = ${id} GROUP BY line
         UNION ALL SELECT line, 0, sum(amount)::int FROM report_submission_contacts
         WHERE submission_id = ${id} AND client_id IS NULL GROUP BY line`,
      );
      const counts = new Map(sums.map((row) => [row.line, row]));
      const lines = linesOf(report).map(({ key, label, unit }) => {
        const { clients = 0, amount = 0 } = counts.get(key) ?? {};
        const count = countsClients(unit) ? clients : amount;
        return { submissionId: id, line: key, label, unit, count };
      });
      await tx.reportSubmissionLine.createMany({ data: lines });
      // Without the numbers: they count clients who are hidden from some readers of the audit trail.
      const changes = differences("submission", {}, { report, ...period });
      await audit(query, actor, { action: "created", entity: "submission", entityId: id, changes });
      return asResponse(await tx.reportSubmission.findUniqueOrThrow({ where: { id }, include: WHO }));
    },
    { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead, timeout: 30_000 },
  );
}

/**
 * Returns SQL that stores the contacts behind the lines of a submission. Linked contacts do not count, but they are stored
 * with their client. To users who cannot see that client they count, and the submission must not reveal otherwise.
 */
const storeContacts = (id: number, question: Question): Sql =>
  sql`${hitsOf("contacts", question)}, stored AS (
      SELECT line, contact_id, NULL::int AS client_id, times FROM hits
      UNION ALL SELECT 'anonymous_contacts', contact_id, client_id, number FROM calls WHERE is_linked)
    INSERT INTO report_submission_contacts (submission_id, line, contact_id, client_id, contact_version, amount)
    SELECT ${id}::int, line, ct.id, stored.client_id, ct.lock_version, times
    FROM stored JOIN contacts ct ON ct.id = stored.contact_id AND ${withoutActor("the report counted them")}`;

/** The most changed records the screen lists per line. */
const RECORDS_LISTED_MAX = 200;
type Changed = { line: string; total: number } & Pick<SubmittedLine, "forms" | "contacts">;

/**
 * Returns a submission with the current number next to each submitted one, and the forms that explain the difference.
 */
export async function getSubmission(actor: SessionUser, report: ReportKey, id: number): Promise<Submitted> {
  const submitted = await readSubmission(actor, report, id, RECORDS_LISTED_MAX);
  const changed = idsIn(submitted);
  await auditBehind(actor, [changed]);
  if (changed.contacts.length > 0) await auditContacts(actor, changed.contacts);
  return submitted;
}

/** Returns the clients, forms and contacts that a submission lists as changed, each once. */
const idsIn = ({ lines }: Submitted) => {
  const contacts = lines.flatMap((line) => line.contacts?.map(({ contactId }) => contactId) ?? []);
  const changedForms = lines.flatMap(({ forms }) => forms);
  return {
    clients: [...new Set(changedForms.map(({ clientId }) => clientId))],
    forms: [...new Set(changedForms.map(({ formId }) => formId))],
    contacts: [...new Set(contacts)],
  };
};

/**
 * The most forms per line in the file, so that it fits into Excel and memory. The last row counts the rest.
 */
const MOST_IN_FILE = 10_000;

const CHANGES_HEADER = ["Section", "Line", "Label", "Unit", "Submitted", "Now", "Form Id", "Change"];

/** Returns the changes since a submission as a table, one row per form of a line, and records the export. */
export async function exportSubmission(actor: SessionUser, report: ReportKey, id: number): Promise<Table> {
  const submitted = await readSubmission(actor, report, id, MOST_IN_FILE);
  const { clients, forms, contacts } = idsIn(submitted);
  await audit(rows, actor, { action: "exported", entity: "client", shown: clients });
  await audit(rows, actor, { action: "exported", entity: "form", shown: forms });
  if (contacts.length > 0)
    await audit(rows, actor, { action: "exported", entity: "contact", shown: contacts });
  return {
    name: `${report}-changes-since-submission-${id}`,
    header: CHANGES_HEADER,
    batches: changesOf(report, submitted),
  };
}

/** Yields the rows, one line at a time. */
async function* changesOf(report: ReportKey, { lines }: Submitted): AsyncGenerator<CsvRow[]> {
  for (const { key, label, unit, count, now, forms, contacts = [], hidden } of lines) {
    const line = [lineOf(report, key)?.section.title ?? "", key, label, unit, count, now ?? "no such line"];
    const changes: [number | "", string][] = forms.map(({ formId, change }) => [
      formId,
      CHANGE_WORDS[change],
    ]);
    for (const { contactId, change } of contacts)
      changes.push(["", `Contact ${contactId} ${CHANGE_WORDS[change]}`]);
    if (hidden > 0)
      changes.push(["", `and ${counted(hidden, contacts.length > 0 ? "more contact" : "more form")}`]);
    yield (changes.length > 0 ? changes : [["", ""]]).map((change) => [...line, ...change]);
  }
}

/** Reads a submission without recording the view, with at most `most` forms per line. */
async function readSubmission(
  actor: SessionUser,
  report: ReportKey,
  id: number,
  most: number,
): Promise<Submitted> {
  const submission = await db().reportSubmission.findFirst({
    where: { id, report },
    include: { ...WHO, lines: true },
  });
  if (!submission) throw notFound();
  const response = asResponse(submission);
  const question = await questionOf(actor, report, everyone(response));
  const changesByLine = new Map<string, Changed>();
  const today = await inSnapshot(async (read) => {
    for (const block of blocksOf(report)) {
      const lines = linesOf(report, block).map(({ key }) => key);
      const asked = { id, lines, most };
      const query =
        block === "contacts" ? contactsChangedSince(actor, asked) : changesSince(actor, report, asked);
      for (const change of await readHits<Changed>(block, question, query, read))
        changesByLine.set(change.line, change);
    }
    return readReport(question, read);
  });
  const withheld = await readWithheld(actor, id);
  const now = new Map(today.sections.flatMap(({ lines }) => lines.map(({ key, count }) => [key, count])));
  const order = new Map(linesOf(report).map(({ key }, at) => [key, at]));
  const place = (key: string) => order.get(key) ?? order.size;
  const lines = submission.lines
    .map(({ line, label, unit, count }): SubmittedLine => {
      const { forms = [], contacts, total = 0 } = changesByLine.get(line) ?? {};
      const knownUnit = UNITS.find((candidate) => candidate === unit) ?? "times";
      return {
        key: line,
        label,
        unit: knownUnit,
        count: count - (withheld.get(line) ?? 0),
        now: now.get(line) ?? null,
        forms,
        ...(contacts && { contacts }),
        hidden: total - forms.length - (contacts?.length ?? 0),
      };
    })
    .sort((a, b) => place(a.key) - place(b.key));
  return { ...response, lines };
}

/** Returns the part of each submitted number that is hidden from the actor. */
async function readWithheld(actor: SessionUser, id: number): Promise<Map<string, number>> {
  if (actor.hiddenClients.length === 0) return new Map();
  const hidden = await rows<{ line: string; withheld: number }>(
    sql`SELECT line, ${withheldCount(actor)} AS withheld FROM report_submission_lines WHERE submission_id = ${id}`,
  );
  return new Map(hidden.map(({ line, withheld }) => [line, withheld]));
}

/**
 * SQL for the forms that count differently on these lines now than in the submission. A removed form no longer has an
 * owner, so only users who may see all forms get it; the same applies to a form that moved to a client hidden from the
 * actor. Leaves out forms of purged clients, because a purge keeps only a submission's numbers, and forms of clients
 * hidden from the actor.
 */
function changesSince(
  actor: SessionUser,
  report: ReportKey,
  { id, lines, most }: { id: number; lines: string[]; most: number },
): Sql {
  const seesRemoved = can(actor, "forms") && can(actor, "all-forms") ? sql`TRUE` : sql`FALSE`;
  return sql`, today AS (
        SELECT line, c.id AS client_id, f.id AS form_id, c.lock_version AS client_version, f.lock_version AS form_version,
          ${amountOf(report)} AS amount
        FROM hits JOIN clients c ON c.id = hits.client_id AND ${REMAINING} JOIN forms f ON f.id = hits.form_id),
      sent AS (SELECT * FROM report_submission_records r WHERE submission_id = ${id} AND line = ANY(${lines}::text[])
        AND NOT EXISTS (SELECT FROM clients c WHERE c.id = r.client_id AND c.purged)
         AND ${notHidden(actor, sql`r.client_id`)}),
      changes AS (
        SELECT line, form_id, coalesce(today.client_id, sent.client_id) AS client_id,
          CASE WHEN sent.form_id IS NULL THEN 'added' WHEN today.form_id IS NULL THEN 'left' ELSE 'edited' END AS change
        FROM (SELECT * FROM today WHERE line = ANY(${lines}::text[])) AS today FULL JOIN sent USING (line, form_id)
        WHERE (today.client_id, today.client_version, today.form_version, today.amount)
          IS DISTINCT FROM (sent.client_id, sent.client_version, sent.form_version, sent.amount)),
      seen AS (
        SELECT changes.*, row_number() OVER (PARTITION BY line ORDER BY form_id) AS place
        FROM changes LEFT JOIN forms f ON f.id = form_id AND ${notHidden(actor, sql`f.client_id`)}
        WHERE CASE WHEN f.id IS NULL THEN ${seesRemoved} ELSE ${openFormsWhere(actor)} END)
      SELECT line, count(*)::int AS total, coalesce((
        SELECT json_agg(json_build_object('formId', form_id, 'clientId', client_id, 'change', change) ORDER BY form_id)
        FROM seen WHERE seen.line = changes.line AND place <= ${most}), '[]') AS forms
      FROM changes GROUP BY line`;
}

/** The same for contacts. To a reader who cannot see the client of a linked contact, it was never linked. */
function contactsChangedSince(
  actor: SessionUser,
  { id, lines, most }: { id: number; lines: string[]; most: number },
): Sql {
  const removed = can(actor, "contacts") && can(actor, "all-forms") ? sql`TRUE` : sql`FALSE`;
  return sql`, today AS (
        SELECT line, contact_id, ct.lock_version AS contact_version, times AS amount
        FROM hits JOIN contacts ct ON ct.id = hits.contact_id WHERE line = ANY(${lines}::text[])),
      sent AS (SELECT * FROM report_submission_contacts r WHERE submission_id = ${id} AND line = ANY(${lines}::text[])
        AND (r.client_id IS NULL OR NOT ${notHidden(actor, sql`r.client_id`)})),
      changes AS (
        SELECT line, contact_id,
          CASE WHEN sent.contact_id IS NULL THEN 'added' WHEN today.contact_id IS NULL THEN 'left' ELSE 'edited' END AS change
        FROM today FULL JOIN sent USING (line, contact_id)
        WHERE (today.contact_version, today.amount) IS DISTINCT FROM (sent.contact_version, sent.amount)),
      seen AS (
        SELECT changes.*, row_number() OVER (PARTITION BY line ORDER BY contact_id) AS place
        FROM changes LEFT JOIN contacts ct ON ct.id = contact_id
        WHERE CASE WHEN ct.id IS NULL THEN ${removed} ELSE ${visibleContactsWhere(actor)} END)
      SELECT line, count(*)::int AS total, '[]'::json AS forms, coalesce((
        SELECT json_agg(json_build_object('contactId', contact_id, 'change', change) ORDER BY contact_id)
        FROM seen WHERE seen.line = changes.line AND place <= ${most}), '[]') AS contacts
      FROM changes GROUP BY line`;
}
