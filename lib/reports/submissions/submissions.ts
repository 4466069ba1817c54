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
  visibleStaysWhere,
  withoutActor,
} from "@/lib/core/access/scope";
import type { Table } from "@/lib/core/api/files";
import { db, queryIn, rows } from "@/lib/core/database/client";
import type { ReadRows } from "@/lib/core/database/statements";
import { AppError, forbidden, invalid, notFound } from "@/lib/core/errors";
import { constant, empty, identifier, type Sql, sql } from "@/lib/core/sql";
import type { CsvRow } from "@/lib/core/text/csv";
import { counted, today, utcDay } from "@/lib/core/text/format";
import { Prisma } from "@/lib/generated/prisma/client";
import type { Question } from "@/lib/reports/block-parts";
import { hitsOf, statementsOf } from "@/lib/reports/blocks";
import {
  type BlockName,
  countsClients,
  countsStays,
  lineOf,
  linesOf,
  REPORT_KEYS,
  type ReportKey,
  recordName,
  reports,
  UNITS,
  type Unit,
} from "@/lib/reports/definitions";
import { isSubmittable, type Period } from "@/lib/reports/periods";
import {
  assertSeesAllNumbers,
  auditBehind,
  inSnapshot,
  lockSetups,
  questionOf,
  readHits,
  readReport,
  readSetup,
  recordsOf,
} from "@/lib/reports/reports";
import type { ReportQuery } from "@/lib/reports/schema";
import {
  CHANGE_WORDS,
  OLDER_RULES,
  SUBMISSIONS_MAX,
  type Submission,
  type Submissions,
  type Submitted,
  type SubmittedLine,
} from "@/lib/reports/submissions/schema";
import { withheldCount } from "@/lib/reports/submissions/withheld";

const everyone = (period: Period): ReportQuery => ({ ...period, userId: null, formTypeId: null });

/**
 * SELECT of the rows of `hits` of a block with clients, as a submission stores them, of clients `c` that meet a condition.
 * An id is 0 if the row has no such record. The amount is what the row adds to its line: its times or nights, its minutes,
 * or 1 on lines that count clients.
 */
function storedRows(report: ReportKey, clients: Sql): Sql {
  const keys = (...units: Unit[]) =>
    linesOf(report)
      .filter(({ unit }) => units.includes(unit))
      .map(({ key }) => key);
  // biome-ignore lint/plugin: hits are what the question counts
  return sql`SELECT line, c.id AS client_id, coalesce(f.id, 0) AS form_id, coalesce(st.id, 0) AS stay_id,
      c.lock_version AS client_version, coalesce(f.lock_version, 0) AS form_version, coalesce(st.lock_version, 0) AS stay_version,
      CASE WHEN line = ANY(${keys("times", "nights")}::text[]) THEN times
        WHEN line = ANY(${keys("minutes")}::text[]) THEN minutes ELSE 1 END AS amount
    FROM hits JOIN clients c ON c.id = hits.client_id AND ${clients}
      LEFT JOIN forms f ON f.id = hits.form_id LEFT JOIN stays st ON st.id = hits.stay_id`;
}

const STORED_COLUMNS = sql`line, client_id, form_id, stay_id, client_version, form_version, stay_version, amount`;

const NAME = { select: { firstName: true, lastName: true } } as const;
const WHO = { user: NAME, withdrawnBy: NAME } as const;
type Stored = Prisma.ReportSubmissionGetPayload<{ include: typeof WHO }>;
const asResponse = (
  actor: SessionUser,
  { id, report, rules, fromOn, toOn, submittedAt, user, ...stored }: Stored,
): Submission => ({
  id,
  from: utcDay(fromOn),
  to: utcDay(toOn),
  submittedAt: submittedAt.toISOString(),
  submittedBy: user && fullName(user),
  olderRules: REPORT_KEYS.some((key) => key === report && rules < reports[key].rules),
  withdrawn: stored.withdrawnAt && {
    at: stored.withdrawnAt.toISOString(),
    by: stored.withdrawnBy && fullName(stored.withdrawnBy),
    reason: stored.withdrawReason ?? "",
  },
  mayWithdraw: stored.withdrawnAt === null && mayWithdraw(actor, stored),
});

/** True if the actor may withdraw the submission while it is the latest of its period. */
const mayWithdraw = (actor: SessionUser, { userId }: Pick<Stored, "userId">) =>
  userId === actor.userId || can(actor, "reports-setup");

/**
 * Returns the latest submissions of a report, or only those of `period`, latest first. `before` leaves out those from this id on.
 */
export async function listSubmissions(
  actor: SessionUser,
  report: ReportKey,
  { period, before = null }: { period?: Period; before?: number | null },
): Promise<Submissions> {
  const found = await db().reportSubmission.findMany({
    where: {
      report,
      ...(before !== null && { id: { lt: before } }),
      ...(period && { fromOn: new Date(period.from), toOn: new Date(period.to) }),
    },
    include: WHO,
    orderBy: { id: "desc" },
    take: SUBMISSIONS_MAX + 1,
  });
  const submissions = found.slice(0, SUBMISSIONS_MAX);
  await auditRead(actor, { action: "listed", entity: "submission", shown: submissions.map(({ id }) => id) });
  return {
    submissions: submissions.map((submission) => asResponse(actor, submission)),
    more: found.length > submissions.length,
  };
}

/** Returns the submission that counts for a period: the latest one that is not withdrawn; null if there is none. */
export async function countingSubmission(
  actor: SessionUser,
  report: ReportKey,
  { from, to }: Period,
): Promise<Submission | null> {
  const counting = await db().reportSubmission.findFirst({
    where: { report, fromOn: new Date(from), toOn: new Date(to), withdrawnAt: null },
    include: WHO,
    orderBy: { id: "desc" },
  });
  return counting && asResponse(actor, counting);
}

/**
 * Stores the current report from one snapshot of the database: the records behind each line with their lock versions,
 * and the numbers counted from these records. The submission is complete, even if clients are hidden from the actor,
 * because the organization reports all of its work. Each reader sees the submission without the clients hidden from
 * them. Throws 422 for a period that has not ended or is not whole, and without All Forms; 409 if the setup is saved at the
 * same time.
 */
export async function submit(actor: SessionUser, report: ReportKey, period: Period): Promise<Submission> {
  assertSeesAllNumbers(actor, "submission");
  return db().$transaction(
    async (tx) => {
      const query = queryIn(tx);
      const read: ReadRows = (_name, statement) => query(statement);
      await lockSetups(query, report);
      const setup = await readSetup(report, read);
      assertSubmittable(report, period, setup);
      const question = await questionOf(NOBODY_HIDDEN, report, everyone(period), setup, read);
      const { id } = await tx.reportSubmission.create({
        data: {
          report,
          rules: reports[report].rules,
          userId: actor.userId,
          fromOn: new Date(period.from),
          toOn: new Date(period.to),
        },
      });
      const keys = linesOf(report).map(({ key }) => key);
      for (const blocks of statementsOf(report)) {
        if (blocks.includes("contacts")) await query(storeContacts(id, question));
        if (countsPlain(blocks)) await query(storePlain(id, blocks, question, keys));
        await query(
          sql`${hitsOf(blocks, question)}, stored AS (${storedRows(report, sql`TRUE`)})
           INSERT INTO report_submission_records (submission_id, ${STORED_COLUMNS})
           SELECT ${id}::int, ${STORED_COLUMNS} FROM stored WHERE line = ANY(${keys}::text[])`,
        );
      }
      const sums = await query<{ line: string; clients: number; amount: number }>(
        sql`SELECT line, count(DISTINCT client_id)::int AS clients, sum(amount)::int AS amount
         FROM report_submission_records WHERE submission_id = ${id} GROUP BY line
         UNION ALL SELECT line, 0, sum(amount)::int FROM report_submission_contacts
         WHERE submission_id = ${id} AND client_id IS NULL GROUP BY line
         UNION ALL SELECT line, 0, sum(amount)::int FROM report_submission_plain WHERE submission_id = ${id} GROUP BY line`,
      );
      const counts = new Map<string, { clients: number; amount: number }>();
      for (const { line, clients, amount } of sums) {
        const before = counts.get(line) ?? { clients: 0, amount: 0 };
        counts.set(line, { clients: before.clients + clients, amount: before.amount + amount });
      }
      const lines = linesOf(report).map(({ key, label, unit }) => {
        const { clients = 0, amount = 0 } = counts.get(key) ?? {};
        const count = countsClients(unit) ? clients : amount;
        return { submissionId: id, line: key, label, unit, count };
      });
      await tx.reportSubmissionLine.createMany({ data: lines });
      // Without the numbers: they count clients who are hidden from some readers of the audit trail.
      const changes = differences("submission", {}, { report, ...period });
      await audit(query, actor, { action: "created", entity: "submission", entityId: id, changes });
      return asResponse(actor, await tx.reportSubmission.findUniqueOrThrow({ where: { id }, include: WHO }));
    },
    { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead, timeout: 30_000 },
  );
}

/** Throws 422 for a period that has not ended, or that is not a whole one of the report. */
function assertSubmittable(report: ReportKey, period: Period, { yearStart }: { yearStart: number }): void {
  if (!isSubmittable(report, period, yearStart))
    throw invalid(
      "submission.to",
      `This period is not a whole ${reports[report].isYearly ? "quarter or fiscal year" : "quarter"}. Only whole ones can be submitted.`,
    );
  if (period.to >= today())
    throw invalid(
      "submission.to",
      "This period has not ended. Only periods that have ended can be submitted.",
    );
}

/** Returns the period of a submission. Throws 404 if there is none. */
export async function periodOfSubmission(report: ReportKey, id: number): Promise<Period> {
  const submission = await db().reportSubmission.findFirst({ where: { id, report } });
  if (!submission) throw notFound();
  return { from: utcDay(submission.fromOn), to: utcDay(submission.toOn) };
}

/**
 * Withdraws the latest submission of a period that is not withdrawn yet. It is kept. Throws 403 for others than its author and
 * holders of Reports Setup, and 409 if it is withdrawn or a later one is not.
 */
export async function withdraw(
  actor: SessionUser,
  report: ReportKey,
  id: number,
  reason: string,
): Promise<Submission> {
  return db().$transaction(async (tx) => {
    const submission = await tx.reportSubmission.findFirst({ where: { id, report } });
    if (!submission) throw notFound();
    if (!mayWithdraw(actor, submission)) throw forbidden();
    const { fromOn, toOn } = submission;
    const latest = await tx.reportSubmission.findFirst({
      where: { report, fromOn, toOn, withdrawnAt: null, id: { gte: id } },
      orderBy: { id: "desc" },
    });
    if (latest && latest.id !== id)
      throw new AppError("conflict_in_use", "A later submission of this period must be withdrawn first");
    const { count } = await tx.reportSubmission.updateMany({
      where: { id, withdrawnAt: null },
      data: { withdrawnAt: new Date(), withdrawnById: actor.userId, withdrawReason: reason },
    });
    if (count === 0) throw new AppError("conflict_in_use", "This submission is withdrawn already");
    // Without the reason, which is free text.
    const changes = differences("submission", {}, { report, from: utcDay(fromOn), to: utcDay(toOn) });
    await audit(queryIn(tx), actor, { action: "withdrawn", entity: "submission", entityId: id, changes });
    return asResponse(actor, await tx.reportSubmission.findUniqueOrThrow({ where: { id }, include: WHO }));
  });
}

/** SQL for the linked contacts in place of anonymous ones. */
const LINKED = sql`UNION ALL SELECT 'anonymous_contacts', contact_id, client_id, number FROM calls WHERE is_linked`;

/**
 * Returns SQL that stores the contacts behind the lines of a submission. Linked contacts are not anonymous, but they are
 * stored with their client. To users who cannot see that client they count, and the submission must not reveal otherwise.
 */
const storeContacts = (id: number, question: Question): Sql =>
  sql`${hitsOf(["contacts"], question)}, stored AS (
      SELECT line, contact_id, NULL::int AS client_id, times FROM hits WHERE contact_id IS NOT NULL
      ${lineOf(question.report, "anonymous_contacts") ? LINKED : empty})
    INSERT INTO report_submission_contacts (submission_id, line, contact_id, client_id, contact_version, amount)
    SELECT ${id}::int, line, ct.id, stored.client_id, ct.lock_version, times
    FROM stored JOIN contacts ct ON ct.id = stored.contact_id AND ${withoutActor("the report counted them")}`;

/** True if the blocks count events or outcome surveys, which are about no client. */
const countsPlain = (blocks: readonly BlockName[]) => blocks.includes("events") || blocks.includes("surveys");

/** SELECT of the events and outcome surveys of `hits`, with their versions and what each adds to its line. */
const plainRows = sql`SELECT line, CASE WHEN event_id IS NULL THEN 'survey' ELSE 'event' END AS kind,
      coalesce(event_id, survey_id) AS record_id, coalesce(ev.lock_version, sv.lock_version) AS record_version, times AS amount
    FROM hits LEFT JOIN events ev ON ev.id = hits.event_id AND ${withoutActor("the report counts them")}
      LEFT JOIN outcome_surveys sv ON sv.id = hits.survey_id
    WHERE num_nonnulls(event_id, survey_id) = 1`;

/** Returns SQL that stores the events and outcome surveys behind the lines of a submission. */
const storePlain = (
  id: number,
  blocks: readonly BlockName[],
  question: Question,
  keys: readonly string[],
): Sql =>
  sql`${hitsOf(blocks, question)}
    INSERT INTO report_submission_plain (submission_id, line, kind, record_id, record_version, amount)
    SELECT ${id}::int, plain.* FROM (${plainRows}) AS plain WHERE line = ANY(${keys}::text[])`;

/** The most changed records the screen lists per line. */
const RECORDS_LISTED_MAX = 200;
type Changed = { line: string; total: number } & Pick<
  SubmittedLine,
  "forms" | "stays" | "contacts" | "events" | "surveys"
>;

/**
 * Returns a submission with the current number next to each submitted one, and the records that explain the difference.
 */
export async function getSubmission(actor: SessionUser, report: ReportKey, id: number): Promise<Submitted> {
  const submitted = await readSubmission(actor, report, id, RECORDS_LISTED_MAX);
  await auditBehind(actor, submitted.lines.map(idsIn));
  return submitted;
}

/** Returns the clients and records that a line of a submission lists as changed. */
const idsIn = ({ forms, stays = [], contacts = [], events = [], surveys = [] }: SubmittedLine) => ({
  clients: [...forms, ...stays].map(({ clientId }) => clientId),
  forms: forms.flatMap(({ formId = [] }) => formId),
  stays: stays.flatMap(({ stayId = [] }) => stayId),
  contacts: contacts.flatMap(({ contactId = [] }) => contactId),
  events: events.flatMap(({ eventId = [] }) => eventId),
  surveys: surveys.flatMap(({ surveyId = [] }) => surveyId),
});

/**
 * The most records per line in the file, so that it fits into Excel and memory. The last row counts the rest.
 */
const MOST_IN_FILE = 10_000;

const CHANGES_HEADER = ["Section", "Line", "Label", "Unit", "Submitted", "Now", "Form Id", "Change"];

/** Returns the changes since a submission as a table, one row per record of a line, and records the export. */
export async function exportSubmission(actor: SessionUser, report: ReportKey, id: number): Promise<Table> {
  const submitted = await readSubmission(actor, report, id, MOST_IN_FILE);
  for (const { entity, shown } of recordsOf(submitted.lines.map(idsIn)))
    await audit(rows, actor, { action: "exported", entity, shown });
  return {
    name: `${report}-changes-since-submission-${id}`,
    header: CHANGES_HEADER,
    batches: changesOf(report, submitted),
  };
}

/** Yields the rows, one line at a time. */
async function* changesOf(report: ReportKey, { lines, olderRules }: Submitted): AsyncGenerator<CsvRow[]> {
  if (olderRules) yield [[OLDER_RULES]];
  for (const submitted of lines) {
    const { key, label, unit, count, now, forms, stays = [], contacts = [], more } = submitted;
    const { events = [], surveys = [] } = submitted;
    const line = [
      lineOf(report, key)?.section.title ?? "",
      key,
      label,
      unit,
      count,
      now ?? (olderRules ? "" : "no such line"),
    ];
    const changes: [number | "", string][] = forms.map(({ formId, change }) =>
      formId === undefined ? ["", `A form ${CHANGE_WORDS[change]}`] : [formId, CHANGE_WORDS[change]],
    );
    for (const { stayId, change } of stays)
      changes.push(["", `${stayId === undefined ? "A stay" : `Stay ${stayId}`} ${CHANGE_WORDS[change]}`]);
    for (const { contactId, change } of contacts)
      changes.push([
        "",
        `${contactId === undefined ? "A contact" : `Contact ${contactId}`} ${CHANGE_WORDS[change]}`,
      ]);
    for (const { eventId, change } of events)
      changes.push([
        "",
        `${eventId === undefined ? "An event" : `Event ${eventId}`} ${CHANGE_WORDS[change]}`,
      ]);
    for (const { surveyId, change } of surveys)
      changes.push([
        "",
        `${surveyId === undefined ? "An outcome survey" : `Outcome survey ${surveyId}`} ${CHANGE_WORDS[change]}`,
      ]);
    if (more > 0)
      changes.push(["", `and ${counted(more, `more ${recordName(report, lineOf(report, key)?.block)}`)}`]);
    yield (changes.length > 0 ? changes : [["", ""]]).map((change) => [...line, ...change]);
  }
}

/** Reads a submission without recording the view, with at most `most` records per line. Throws 422 without All Forms. */
async function readSubmission(
  actor: SessionUser,
  report: ReportKey,
  id: number,
  most: number,
): Promise<Submitted> {
  assertSeesAllNumbers(actor, "submission");
  const submission = await db().reportSubmission.findFirst({
    where: { id, report },
    include: { ...WHO, lines: true },
  });
  if (!submission) throw notFound();
  const response = asResponse(actor, submission);
  const question = await questionOf(actor, report, everyone(response));
  const changesByLine = new Map<string, Changed>();
  const current = await inSnapshot(async (read) => {
    if (response.olderRules) return null;
    for (const blocks of statementsOf(report)) {
      const lines = blocks.flatMap((block) => linesOf(report, block).map(({ key }) => key));
      const asked = { id, lines, most };
      const queries = [
        changesSince(actor, report, asked),
        ...(blocks.includes("contacts") ? [contactsChangedSince(actor, asked)] : []),
        ...(countsPlain(blocks) ? [plainChangedSince(actor, asked)] : []),
      ];
      for (const query of queries)
        for (const change of await readHits<Changed>(blocks, question, query, read)) {
          const before = changesByLine.get(change.line);
          changesByLine.set(change.line, {
            ...change,
            total: change.total + (before?.total ?? 0),
            forms: [...(before?.forms ?? []), ...change.forms],
            stays: [...(before?.stays ?? []), ...(change.stays ?? [])],
          });
        }
    }
    return readReport(question, read);
  });
  const withheld = await readWithheld(actor, id);
  const now = new Map(
    (current?.sections ?? []).flatMap(({ lines }) => lines.map(({ key, count }) => [key, count])),
  );
  const order = new Map(linesOf(report).map(({ key }, at) => [key, at]));
  const place = (key: string) => order.get(key) ?? order.size;
  const lines = submission.lines
    .map(({ line, label, unit, count }): SubmittedLine => {
      const { forms = [], contacts, stays, events, surveys, total = 0 } = changesByLine.get(line) ?? {};
      const plain = [...(events ?? []), ...(surveys ?? [])];
      const knownUnit = UNITS.find((candidate) => candidate === unit) ?? "times";
      return {
        key: line,
        label,
        unit: knownUnit,
        count: count - (withheld.get(line) ?? 0),
        now: now.get(line) ?? null,
        forms,
        ...(countsStays(report) && { stays: stays ?? [] }),
        ...(contacts && { contacts }),
        ...(events?.length && { events }),
        ...(surveys?.length && { surveys }),
        more: total - plain.length - forms.length - (stays?.length ?? 0) - (contacts?.length ?? 0),
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
 * SQL for the forms and stays that count differently on these lines now than in the submission. A record that moved to a
 * client hidden from the actor is listed like a removed one. Leaves out records of purged clients, because a purge keeps only a submission's numbers, and records of
 * clients hidden from the actor.
 */
function changesSince(
  actor: SessionUser,
  report: ReportKey,
  { id, lines, most }: { id: number; lines: string[]; most: number },
): Sql {
  const boolean = (value: boolean) => (value ? sql`TRUE` : sql`FALSE`);
  const listed = (kind: "form" | "stay") =>
    sql`coalesce((
        SELECT json_agg(CASE WHEN is_removed THEN json_build_object('clientId', client_id, 'change', 'removed') ELSE
            json_build_object(${constant(`${kind}Id`)}, ${identifier(`${kind}_id`)}, 'clientId', client_id, 'change', change) END
          ORDER BY ${identifier(`${kind}_id`)})
        FROM seen WHERE seen.line = changes.line AND place <= ${most} AND ${identifier(`${kind}_id`)} > 0), '[]')`;
  return sql`, today AS (${storedRows(report, REMAINING)}),
      sent AS (SELECT * FROM report_submission_records r WHERE submission_id = ${id} AND line = ANY(${lines}::text[])
        AND NOT EXISTS (SELECT FROM clients c WHERE c.id = r.client_id AND c.purged)
         AND ${notHidden(actor, sql`r.client_id`)}),
      changes AS (
        SELECT line, form_id, stay_id, coalesce(today.client_id, sent.client_id) AS client_id,
          CASE WHEN sent.client_id IS NULL THEN 'added' WHEN today.client_id IS NULL THEN 'left' ELSE 'edited' END AS change
        FROM (SELECT * FROM today WHERE line = ANY(${lines}::text[])) AS today FULL JOIN sent USING (line, form_id, stay_id)
        WHERE (today.client_id, today.client_version, today.form_version, today.stay_version, today.amount)
          IS DISTINCT FROM (sent.client_id, sent.client_version, sent.form_version, sent.stay_version, sent.amount)),
      seen AS (
        SELECT changes.*, num_nonnulls(f.id, st.id) = 0 AS is_removed,
          row_number() OVER (PARTITION BY line ORDER BY form_id, stay_id) AS place
        FROM changes LEFT JOIN forms f ON f.id = form_id AND ${notHidden(actor, sql`f.client_id`)}
          LEFT JOIN stays st ON st.id = stay_id AND ${notHidden(actor, sql`st.client_id`)}
        WHERE CASE WHEN f.id IS NOT NULL THEN ${openFormsWhere(actor)} WHEN st.id IS NOT NULL THEN ${visibleStaysWhere(actor)}
          WHEN form_id > 0 THEN ${boolean(can(actor, "forms"))} ELSE ${boolean(can(actor, "shelter"))} END)
      SELECT line, count(*)::int AS total, ${listed("form")} AS forms, ${listed("stay")} AS stays
      FROM changes GROUP BY line`;
}

/** The same for events and outcome surveys. */
function plainChangedSince(
  actor: SessionUser,
  { id, lines, most }: { id: number; lines: string[]; most: number },
): Sql {
  const boolean = (value: boolean) => (value ? sql`TRUE` : sql`FALSE`);
  const listed = (kind: "event" | "survey") =>
    sql`coalesce((
        SELECT json_agg(CASE WHEN is_removed THEN json_build_object('change', 'removed')
          ELSE json_build_object(${constant(`${kind}Id`)}, record_id, 'change', change) END ORDER BY record_id)
        FROM seen WHERE seen.line = changes.line AND place <= ${most} AND kind = ${constant(kind)}), '[]')`;
  return sql`, today AS (SELECT * FROM (${plainRows}) AS plain WHERE line = ANY(${lines}::text[])),
      sent AS (SELECT * FROM report_submission_plain r WHERE submission_id = ${id} AND line = ANY(${lines}::text[])),
      changes AS (
        SELECT line, kind, record_id,
          CASE WHEN sent.record_id IS NULL THEN 'added' WHEN today.record_id IS NULL THEN 'left' ELSE 'edited' END AS change
        FROM today FULL JOIN sent USING (line, kind, record_id)
        WHERE (today.record_version, today.amount) IS DISTINCT FROM (sent.record_version, sent.amount)),
      seen AS (
        SELECT changes.*, NOT EXISTS (SELECT FROM events ev WHERE kind = 'event' AND ev.id = record_id)
            AND NOT EXISTS (SELECT FROM outcome_surveys sv WHERE kind = 'survey' AND sv.id = record_id) AS is_removed,
          row_number() OVER (PARTITION BY line ORDER BY record_id) AS place
        FROM changes WHERE CASE kind WHEN 'event' THEN ${boolean(can(actor, "events"))}
          ELSE ${boolean(can(actor, "outcome-surveys"))} END AND ${withoutActor("only removed records are counted apart")})
      SELECT line, count(*)::int AS total, '[]'::json AS forms, ${listed("event")} AS events, ${listed("survey")} AS surveys
      FROM changes GROUP BY line`;
}

/** The same for contacts. To a reader who cannot see the client of a linked contact, it was never linked. */
function contactsChangedSince(
  actor: SessionUser,
  { id, lines, most }: { id: number; lines: string[]; most: number },
): Sql {
  const removed = can(actor, "contacts") ? sql`TRUE` : sql`FALSE`;
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
        SELECT changes.*, ct.id IS NULL AS is_removed, row_number() OVER (PARTITION BY line ORDER BY contact_id) AS place
        FROM changes LEFT JOIN contacts ct ON ct.id = contact_id
        WHERE CASE WHEN ct.id IS NULL THEN ${removed} ELSE ${visibleContactsWhere(actor)} END)
      SELECT line, count(*)::int AS total, '[]'::json AS forms, coalesce((
        SELECT json_agg(CASE WHEN is_removed THEN json_build_object('change', 'removed')
          ELSE json_build_object('contactId', contact_id, 'change', change) END ORDER BY contact_id)
        FROM seen WHERE seen.line = changes.line AND place <= ${most}), '[]') AS contacts
      FROM changes GROUP BY line`;
}
