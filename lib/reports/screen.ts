import "server-only";
import { can, canAny, fullName, type NamedItem, type SessionUser } from "@/lib/core/access/permissions";
import { seesClients } from "@/lib/core/access/scope";
import { type Meta, pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { rows } from "@/lib/core/database/client";
import { AppError, notFound } from "@/lib/core/errors";
import { to } from "@/lib/core/pages";
import { sql } from "@/lib/core/sql";
import { shortDateTimeOfDay, today } from "@/lib/core/text/format";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { formTypeOptions, userOptions } from "@/lib/lookups/resources/lists";
import { seesAllNumbers, seesNumbers } from "@/lib/reports/access";
import { answerFields, readAnswers } from "@/lib/reports/answers";
import {
  type BlockName,
  countsClients,
  countsStays,
  lineOf,
  listedBlock,
  type ReportKey,
  reports,
  type Unit,
} from "@/lib/reports/definitions";
import { GAP_PLACES } from "@/lib/reports/gap-places";
import { dueOn, type Months, readMonths, readShared, readStates, type Shared } from "@/lib/reports/overview";
import {
  isSame,
  isShareable,
  isSubmittable,
  lastShared,
  monthOf,
  type NamedPeriod,
  type Period,
  quarterOf,
  weekOf,
  yearOf,
} from "@/lib/reports/periods";
import {
  type Part,
  readContactRecords,
  readEventRecords,
  readRecords,
  readStayRecords,
  readSurveyRecords,
  survivorFormType,
} from "@/lib/reports/records";
import {
  auditBehind,
  type GapCount,
  getLine,
  parseGap,
  parseReportKey,
  readGapRecords,
  readSetup,
  reportWithGaps,
} from "@/lib/reports/reports";
import {
  type Behind,
  type Report,
  type ReportQuery,
  type ScreenQuery,
  screenQuery,
} from "@/lib/reports/schema";
import { getSetup } from "@/lib/reports/setup/mappings";
import {
  countingSubmission,
  getSubmission,
  listSubmissions,
  periodOfSubmission,
} from "@/lib/reports/submissions/submissions";
import type { Suppressed } from "@/lib/reports/suppression";
import { getTime } from "@/lib/reports/time";

// The data of the report screens.

/** Returns the last complete quarter, for which a report is due. */
const lastQuarter = () => quarterOf(today(), -1);

export const reportScreenQuery = () => screenQuery(lastQuarter());
export const timeScreenQuery = () => screenQuery(weekOf(today()));

/**
 * Returns the quarters and months that are needed most often. If the report is yearly, also the last two fiscal years, and the
 * current one to date for holders of All Forms.
 */
const periodsOfReports = (
  actor: SessionUser,
  report: ReportKey,
  yearStart: number,
  isCopy: boolean,
): NamedPeriod[] => {
  const toDate = { from: yearOf(today(), yearStart).from, to: today() };
  const inCopies = (period: NamedPeriod) =>
    isShareable(report, { ...period, userId: null, formTypeId: null }, yearStart, today());
  const periods = [
    ...(reports[report].isYearly ? [-2, -1].map((later) => yearOf(today(), yearStart, later)) : []),
    ...(reports[report].isYearly && can(actor, "all-forms")
      ? [{ name: "This fiscal year to date", ...toDate }]
      : []),
    ...[-4, -3, -2, -1, 0].map((later) => quarterOf(today(), later)),
    ...[-1, 0].map((later) => monthOf(today(), later)),
  ];
  return isCopy && !seesAllNumbers(actor) ? periods.filter(inCopies) : periods;
};
/** Returns the weeks and months around today, and the weeks around the chosen one, each once. */
const periodsOfTime = ({ from }: Period): NamedPeriod[] =>
  [
    { name: "Last week", ...weekOf(today(), -1) },
    { name: "This week", ...weekOf(today()) },
    { name: "Next week", ...weekOf(today(), 1) },
    ...[-1, 0].map((later) => monthOf(today(), later)),
    ...[-1, 1].map((later) => weekOf(from, later)),
  ].filter((period, at, all) => all.findIndex((other) => isSame(period, other)) === at);

/** True if the actor may choose a user to filter by. */
const seesUsers = (actor: SessionUser) => canAny(actor, ["clients", "all-forms", "users"]);

async function choices(actor: SessionUser): Promise<{ users: NamedItem[] | null; formTypes: NamedItem[] }> {
  const [users, formTypes] = await Promise.all([
    seesUsers(actor) ? userOptions(actor) : null,
    formTypeOptions(actor),
  ]);
  return { users, formTypes };
}

/** Returns the filters of a report in words, for its file. */
export async function filterWords(
  actor: SessionUser,
  { userId, formTypeId }: ReportQuery,
  share: boolean,
): Promise<string[]> {
  const [names] = await rows<{ advocate: string | null; formType: string | null }>(
    sql`SELECT (SELECT first_name || ' ' || last_name FROM users WHERE id = ${userId}::int) AS advocate,
       (SELECT name FROM form_types WHERE id = ${formTypeId}::int) AS "formType"`,
  );
  const advocate = seesUsers(actor) ? names?.advocate : null;
  return [
    ...(userId === null ? [] : [`Advocate: ${advocate ?? userId}`]),
    ...(formTypeId === null ? [] : [`Form Type: ${names?.formType ?? formTypeId}`]),
    ...(share ? ["Copy for sharing"] : []),
  ];
}

/** Returns for each block if the actor may open the lists behind its numbers. */
function opensLists(
  actor: SessionUser,
  report: ReportKey,
  asked: ReportQuery,
): Readonly<Record<BlockName, boolean>> {
  const may = seesNumbers(actor, asked);
  const forms = may && can(actor, "forms");
  const stays = may && can(actor, "shelter");
  return {
    people: forms,
    victimization: forms,
    services: forms,
    advocacy: forms,
    shelter: stays,
    victims: forms || (stays && seesClients(actor)),
    events: may && can(actor, "events"),
    surveys: may && can(actor, "outcome-surveys"),
    contacts: may && (can(actor, "contacts") || (countsStays(report) && can(actor, "forms"))),
  };
}

/** True if the quarter is over, some of its months are open, and the actor may close them. */
async function mayClose(actor: SessionUser, { to }: Period): Promise<boolean> {
  if (!can(actor, "close-periods") || to >= today()) return false;
  const through = await closedThrough();
  return through === null || through < to;
}

type Suppressible = Pick<Suppressed, "marks"> & {
  report: Report | null;
  gaps: GapCount[];
  behind: string | null;
};

const NO_NUMBERS: Suppressible = { report: null, marks: new Map(), gaps: [], behind: null };

/**
 * Returns the data of a report's screen. `report` is null if counting takes too long, or if the actor may not see the numbers.
 * The screen says which.
 */
export async function loadReport(actor: SessionUser, key: string, { asked, share }: ScreenQuery) {
  const report = parseReportKey(key);
  const { yearStart } = await readSetup(report);
  const mayShare = isShareable(report, asked, yearStart, today());
  const isCopy = share && mayShare;
  const seesAll = seesAllNumbers(actor);
  /** A copy of other days shows no numbers at all, so that nobody takes exact ones for a copy. */
  const isCopyRefused = share && !mayShare;
  const isRefused = isCopyRefused || (!isCopy && !seesNumbers(actor, asked));
  const [{ users, formTypes }, reportData] = await Promise.all([
    choices(actor),
    isRefused
      ? { ...NO_NUMBERS, failed: null }
      : unlessTooSlow<Suppressible>(reportWithGaps(actor, report, asked, isCopy), NO_NUMBERS),
  ]);
  // Only a whole period without filters can be submitted; null hides that part of the screen.
  const isSubmitted =
    isSubmittable(report, asked, yearStart) &&
    asked.userId === null &&
    asked.formTypeId === null &&
    !(isCopy && seesAll);
  const listed = isSubmitted ? await listSubmissions(actor, report, { period: asked }) : null;
  const counting = isSubmitted ? await countingSubmission(actor, report, asked) : null;
  const submissions = listed?.submissions ?? null;
  return {
    due: submissions && (await dueOn(report, asked)),
    today: today(),
    moreSubmissions: listed?.more ?? false,
    counting,
    closes: submissions !== null && (await mayClose(actor, asked)),
    submissions:
      submissions?.map((item) => ({
        ...item,
        moment: shortDateTimeOfDay(item.submittedAt),
        withdrawnMoment: item.withdrawn && shortDateTimeOfDay(item.withdrawn.at),
      })) ?? null,
    ...reportData,
    reportKey: report,
    asked,
    filters: { users: seesAll ? users : null, formTypes: isCopy ? null : formTypes },
    choice: seesAll ? null : choiceOf(actor, report, asked, yearStart),
    isRefused,
    isCopyRefused,
    seesAll,
    printedBy: fullName(actor),
    printedOn: shortDateTimeOfDay(new Date()),
    isCopy,
    mayShare,
    hasEnded: asked.to < today(),
    opens: opensLists(actor, report, asked),
    mayExport: can(actor, "export"),
    periods: periodsOfReports(actor, report, yearStart, isCopy),
  };
}

/** Returns the choices of a reader without All Forms: a copy for sharing, of the period if it can be shared, and the own records. */
function choiceOf(
  actor: SessionUser,
  report: ReportKey,
  { from, to, userId }: ReportQuery,
  yearStart: number,
) {
  const period = { from, to, userId: null, formTypeId: null };
  const copy = isShareable(report, period, yearStart, today())
    ? { from, to }
    : lastShared(report, yearStart, today());
  return { copy, readerId: actor.userId, isOwn: userId === actor.userId };
}
export type ReaderChoice = ReturnType<typeof choiceOf>;

/** The kind of list behind a line or gap: clients with their records, or only records of one kind. */
export type ListKind = "clients" | "stays" | "contacts" | "events" | "surveys";

const listKindOf = (block: BlockName, unit?: Unit): ListKind => {
  if (block === "contacts" || block === "events" || block === "surveys") return block;
  return block === "shelter" && !(unit && countsClients(unit)) ? "stays" : "clients";
};

/** The number of records of each kind in a whole list. */
export type Totals = Record<ListKind, number>;

/** Returns the part of `length` rows that is on a page, if `before` other rows precede them in the list. */
function partOf({ page, perPage }: Pick<Meta, "page" | "perPage">, length: number, before = 0): Part {
  const start = (page - 1) * perPage - before;
  const end = page * perPage - before;
  const offset = Math.max(0, start);
  return { offset, limit: Math.max(0, Math.min(end, length) - offset) };
}

/** Returns a page of the list behind a number or a gap. On a line of contacts, the clients with forms follow the contacts. */
async function records(
  actor: SessionUser,
  behind: Behind,
  { asked, page, perPage }: ScreenQuery,
  kind: ListKind,
) {
  const { clients, stays = [], contacts = [], events = [], surveys = [] } = behind;
  const totals: Totals = {
    clients: kind === "stays" ? 0 : clients.length,
    stays: kind === "stays" ? stays.length : 0,
    contacts: kind === "contacts" ? contacts.length : 0,
    events: kind === "events" ? events.length : 0,
    surveys: kind === "surveys" ? surveys.length : 0,
  };
  const total = Object.values(totals).reduce((sum, number) => sum + number, 0);
  // The list may have become shorter since the link to the page was made.
  const last = Math.max(1, Math.ceil(total / perPage));
  const shownPage = {
    page: Math.min(page, last),
    perPage,
    after: null,
    search: "",
    sort: "",
    order: "",
    filters: {},
  } as const;
  const meta = pageMeta(shownPage, total);
  const ofClients = partOf(meta, totals.clients, totals.contacts);
  const ofStays = partOf(meta, totals.stays);
  const ofContacts = partOf(meta, totals.contacts);
  const ofEvents = partOf(meta, totals.events);
  const ofSurveys = partOf(meta, totals.surveys);
  return {
    kind,
    totals,
    meta,
    asked,
    rows: ofClients.limit > 0 ? await readRecords(actor, behind, ofClients) : [],
    stays: ofStays.limit > 0 ? await readStayRecords(actor, stays, asked, ofStays) : [],
    contacts: ofContacts.limit > 0 ? await readContactRecords(actor, contacts, ofContacts) : [],
    events: ofEvents.limit > 0 ? await readEventRecords(actor, events, ofEvents) : [],
    surveys: ofSurveys.limit > 0 ? await readSurveyRecords(actor, surveys, ofSurveys) : [],
    opensClients: can(actor, "clients"),
    mayExport: can(actor, "export"),
  };
}

/** Returns the data of the screen with the records behind a number. */
export async function loadLine(actor: SessionUser, key: string, lineKey: string, query: ScreenQuery) {
  const report = parseReportKey(key);
  const line = lineOf(report, lineKey);
  if (!line) throw notFound();
  const behind = await getLine(actor, report, lineKey, query.asked);
  return {
    report,
    path: to("reportsLine", { report, line: lineKey }),
    title: line.label,
    file: `/api/reports/${report}/lines/${lineKey}/records` as const,
    section: line.section.title,
    help: line.help,
    ...(await records(actor, behind, query, listKindOf(line.block, line.unit))),
  };
}

/** Returns what to show instead of the numbers of a query that the actor may not see; null if they may. */
export async function loadRefusal(actor: SessionUser, key: string, { asked }: Pick<ScreenQuery, "asked">) {
  if (seesNumbers(actor, asked)) return null;
  const report = parseReportKey(key);
  const { yearStart } = await readSetup(report);
  return { report, asked, choice: choiceOf(actor, report, asked, yearStart) };
}

/** The same for a submission, which has the numbers of all records. */
export async function loadSubmissionRefusal(actor: SessionUser, key: string, id: number) {
  if (seesAllNumbers(actor)) return null;
  const period = await periodOfSubmission(parseReportKey(key), id);
  return loadRefusal(actor, key, { asked: { ...period, userId: null, formTypeId: null } });
}

/** Returns the data of the screen with the records that have a gap. */
export async function loadGap(actor: SessionUser, key: string, field: string, query: ScreenQuery) {
  const report = parseReportKey(key);
  const gap = parseGap(report, field);
  const behind = await readGapRecords(actor, report, gap, query.asked);
  await auditBehind(actor, [behind]);
  return {
    report,
    path: to("reportsGap", { report, field: gap.field }),
    place: GAP_PLACES[gap.field],
    newFormType: gap.field === "victimization" ? await survivorFormType() : null,
    title: `Gap: ${gap.label}`,
    file: `/api/reports/${report}/gaps/${gap.field}/records` as const,
    help: gap.help,
    ...(await records(actor, behind, query, listKindOf(listedBlock(gap)))),
  };
}

/** Returns the data of the screen of minutes: the actor's own, or with All Forms those of any user. */
export async function loadTime(actor: SessionUser, { asked }: ScreenQuery) {
  const [{ users, formTypes }, time] = await Promise.all([choices(actor), getTime(actor, asked)]);
  const filters = { users: can(actor, "all-forms") ? users : null, formTypes };
  return { asked, time, filters, periods: periodsOfTime(asked), mayExport: can(actor, "export") };
}

/** Returns the data of a submission's screen. */
export async function loadSubmission(actor: SessionUser, key: string, id: number) {
  const report = parseReportKey(key);
  const submission = await getSubmission(actor, report, id);
  const { withdrawn } = submission;
  return {
    report,
    submission,
    withdrawnMoment: withdrawn && shortDateTimeOfDay(withdrawn.at),
    mayExport: can(actor, "export"),
  };
}

/** Returns the data of a report's setup screen, which tests changes on the last quarter. */
export async function loadSetup(actor: SessionUser, key: string) {
  const [setup, { formTypes }] = await Promise.all([getSetup(actor, parseReportKey(key)), choices(actor)]);
  return { setup, formTypes, quarter: lastQuarter(), today: today(), tries: seesAllNumbers(actor) };
}

/**
 * Returns the data of the overview, with the answers to a field. The states count whole reports, so they and the answers are
 * read while the rest is shown already.
 */
export async function loadOverview(actor: SessionUser, field = "") {
  const { months } = await unlessTooSlow<{ months: Months | null }>(
    readMonths(actor, today()).then((months) => ({ months })),
    { months: null },
  );
  return {
    months,
    today: today(),
    readStates: () => readStates(actor, today()),
    fields: answerFields(),
    field,
    readAnswers: () =>
      readAnswers(actor, field, today()).catch((error) => {
        if (error instanceof AppError && error.code === "too_slow") return "slow" as const;
        throw error;
      }),
  };
}

/** Returns the data of the overview for readers without All Forms: states, and two numbers of copies for sharing. */
export const loadSharedOverview = (actor: SessionUser) => ({
  today: today(),
  readStates: () => readStates(actor, today()),
  readShared: () =>
    unlessTooSlow<{ shared: Shared | null }>(
      readShared(actor, today()).then((shared) => ({ shared })),
      { shared: null },
    ),
});
