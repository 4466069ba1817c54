import "server-only";
import { differences } from "@/lib/audit/changes";
import { auditSave } from "@/lib/audit/record";
import { demographic } from "@/lib/clients/schema";
import { GENDERS } from "@/lib/clients/words";
import type { SessionUser } from "@/lib/core/access/permissions";
import { type Db, db, queryIn, rows, type Tx } from "@/lib/core/database/client";
import { textKey } from "@/lib/core/database/folded";
import { AppError, invalid, invalidFields, notFound } from "@/lib/core/errors";
import { currentDefinitions } from "@/lib/core/fields/definitions";
import { labelIn } from "@/lib/core/fields/facts";
import { sql } from "@/lib/core/sql";
import { date, EARLIEST_DAY, utcDay } from "@/lib/core/text/format";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { REPORT_KEYS, type ReportKey, reports } from "@/lib/reports/definitions";
import { firstDue } from "@/lib/reports/due";
import type { Source } from "@/lib/reports/mapping";
import { ANY_VALUE, BORROWED, customSource, FLAGS, kindsIn } from "@/lib/reports/mapping";
import { monthOf, type Period, periodName } from "@/lib/reports/periods";
import { assertSeesAllNumbers, inSnapshot, questionOf, readReport } from "@/lib/reports/reports";
import type { ReportQuery } from "@/lib/reports/schema";
import { ALL_DAYS, type ChangedDays, changedDays } from "@/lib/reports/setup/changed-days";
import {
  type Change,
  mappingProblems,
  type SetupInput,
  type SetupResponse,
} from "@/lib/reports/setup/schema";

/** Returns all values that can be mapped to lines of the report, each list in its own order. */
async function readSources(report: ReportKey): Promise<Source[]> {
  const kinds = kindsIn(report);
  const listValues = await rows<Source>(
    sql`SELECT 'service_code' AS kind, id::text AS source, code::text AS label, 1 AS place, ${textKey(sql`code`)} AS name FROM service_codes
     UNION ALL SELECT 'victimization', id::text, name::text, 2, ${textKey(sql`name`)} FROM secondary_victimizations
     UNION ALL SELECT 'offender_relationship', id::text, name::text, 3, lpad(id::text, 10, '0') FROM offender_relationships
     UNION ALL SELECT 'ethnicity', id::text, name::text, 4, ${textKey(sql`name`)} FROM ethnicities
     UNION ALL SELECT 'age_bracket', id::text, name::text, 5, lpad(range_start::text, 10, '0') FROM age_brackets
     UNION ALL SELECT 'fvpsa_service', id::text, code::text, 6, ${textKey(sql`code`)} FROM service_codes
     UNION ALL SELECT 'shelter', id::text, name::text, 7, ${textKey(sql`name`)} FROM shelters
     UNION ALL SELECT 'contact_kind', id::text, name::text, 8, ${textKey(sql`name`)} FROM contact_kinds
     UNION ALL SELECT 'form_type', id::text, name::text, 9, lpad(sort_order::text, 10, '0') || ${textKey(sql`name`)} FROM form_types
     ORDER BY place, name, source`,
  );
  const sources: Source[] = [
    ...listValues.map(({ kind, source, label }) => ({ kind, source, label })),
    ...(["gender", "sex"] as const).flatMap((kind) =>
      GENDERS.map((gender): Source => ({ kind, source: gender, label: gender })),
    ),
    ...FLAGS.map((source): Source => ({ kind: "flag", source, label: labelIn(demographic.schema, source) })),
    { kind: "victimization_other", source: ANY_VALUE, label: "Any text" },
    { kind: "hate_crime", source: ANY_VALUE, label: "Any category" },
    ...customSources(),
  ];
  return sources.filter(({ kind }) => kinds.includes(kind));
}

/** Returns the choices and boxes of custom fields, retired ones included: records may still have them. */
const customSources = (): Source[] =>
  currentDefinitions().fields.flatMap(({ key, kind, record, label, choices }): Source[] => {
    const source = (choiceId?: number) => ({
      kind: `own_${record}` as const,
      source: customSource(key, choiceId),
    });
    if (kind === "flag") return [{ ...source(), label }];
    return choices.map((choice) => ({ ...source(choice.id), label: `${label}: ${choice.label}` }));
  });

/** Returns the mappings of a report as in responses, but with `kind` as any string. */
async function storedMappings(tx: Db | Tx, report: ReportKey) {
  const mappings = await tx.reportMapping.findMany({
    where: { report },
    orderBy: [{ kind: "asc" }, { id: "asc" }],
  });
  return mappings.map(({ kind, source, formTypeId, line, validFrom, validThrough }) => ({
    kind,
    source,
    formTypeId,
    line,
    validFrom: utcDay(validFrom),
    validThrough: validThrough && utcDay(validThrough),
  }));
}

/** Returns a report's setup with all values that can be mapped. */
export async function getSetup(_actor: SessionUser, report: ReportKey): Promise<SetupResponse> {
  const [setting, mappings, sources, first] = await Promise.all([
    db().reportSetting.findUnique({ where: { report } }),
    storedMappings(db(), report),
    readSources(report),
    firstDue(),
  ]);
  if (!setting) throw notFound();
  const { yearStart, dueDays, dueFrom, lockVersion } = setting;
  const isSource = new Map(sources.map(({ kind, source }) => [`${kind} ${source}`, kind]));
  return {
    report,
    yearStart,
    dueDays,
    lockVersion,
    sources,
    dueFrom: dueFrom && utcDay(dueFrom),
    firstDue: first,
    // Leaves out mappings of values that were removed from their list: no record can have them.
    mappings: mappings.flatMap((mapping) => {
      const kind = isSource.get(`${mapping.kind} ${mapping.source}`);
      return kind ? [{ ...mapping, kind }] : [];
    }),
  };
}

/** Returns the values that can be mapped. Throws 422 with the invalid mappings. */
async function assertValidMappings(report: ReportKey, { mappings }: SetupInput): Promise<Source[]> {
  const formTypes = await db().formType.findMany({ select: { id: true } });
  const formTypeIds = new Set(formTypes.map(({ id }) => id));
  const sources = await readSources(report);
  const problems = mappingProblems(report, mappings, sources, formTypeIds);
  if (Object.keys(problems).length > 0) throw invalidFields(problems);
  return sources;
}

const dueFromOf = (setting: { dueFrom: Date | null } | null): string | null =>
  setting?.dueFrom ? utcDay(setting.dueFrom) : null;

/** Returns the values of `these` that are not in `others`. */
function without<Value>(these: readonly Value[], others: readonly Value[]): Value[] {
  const texts = new Set(others.map((other) => JSON.stringify(other)));
  return these.filter((value) => !texts.has(JSON.stringify(value)));
}

/**
 * Replaces a report's setup. Throws 422 with the invalid mapping, and 409 if someone else saved in the meantime, or if it
 * changes days of a submitted or closed period and is not confirmed.
 */
export async function saveSetup(
  actor: SessionUser,
  report: ReportKey,
  input: SetupInput,
): Promise<SetupResponse> {
  const sources = await assertValidMappings(report, input);
  const { yearStart, lockVersion, mappings, confirmed = false } = input;
  await db().$transaction(async (tx) => {
    const setting = await tx.reportSetting.findUnique({ where: { report } });
    const { dueDays = setting?.dueDays, dueFrom = dueFromOf(setting) } = input;
    const first = await firstDue();
    if (dueFrom !== dueFromOf(setting) && dueFrom && first && dueFrom >= first)
      throw invalid(
        "setup.dueFrom",
        `Due From must be before ${date(first)}, from which reports are due already`,
      );
    // Also waits for submissions that are being stored with this setup.
    const { count } = await tx.reportSetting.updateMany({
      where: { report, lockVersion },
      data: {
        yearStart,
        dueDays,
        dueFrom: dueFrom && new Date(dueFrom),
        lockVersion: { increment: 1 },
      },
    });
    if (count === 0)
      throw new AppError("conflict_version", "Someone else changed these mappings since you opened them");
    const former = await storedMappings(tx, report);
    // Rows of values that were removed from their list are not sent; no record can have them.
    const isSource = new Set(sources.map(({ kind, source }) => `${kind} ${source}`));
    const current = former.filter(({ kind, source }) => isSource.has(`${kind} ${source}`));
    const changed = [
      ...changedDays(current, mappings),
      // It decides on each day who is new in the year.
      ...(setting?.yearStart === yearStart ? [] : [ALL_DAYS]),
    ];
    if (!confirmed) await assertOpenDays(tx, report, changed);
    await tx.reportMapping.deleteMany({ where: { report } });
    await tx.reportMapping.createMany({
      data: mappings.map(({ validFrom, validThrough, ...mapping }) => ({
        ...mapping,
        report,
        validFrom: new Date(validFrom),
        validThrough: validThrough === null ? null : new Date(validThrough),
      })),
    });
    // Only the mappings that were removed and those that were added.
    const present = await storedMappings(tx, report);
    const changes = differences(
      `reportSetup.${report}`,
      {
        yearStart: setting?.yearStart,
        dueDays: setting?.dueDays,
        dueFrom: dueFromOf(setting),
        mappings: without(former, present),
      },
      { yearStart, dueDays, dueFrom, mappings: without(present, former) },
    );
    if (changes.length === 0) await tx.reportSetting.update({ where: { report }, data: { lockVersion } });
    await auditSave(queryIn(tx), actor, { entity: "reportSetup", changes });
  });
  return getSetup(actor, report);
}

/**
 * The caller has locked the setup by updating it, so nobody can submit a report meanwhile (`lockSetups`).
 * Throws 409 with the submissions, unless they are withdrawn, and closed months that have some of the days. A change of a report also changes the
 * report that borrows its mappings.
 */
async function assertOpenDays(tx: Tx, report: ReportKey, changes: readonly ChangedDays[]): Promise<void> {
  const touches = (key: ReportKey, { from, to }: Period) =>
    changes.some(
      (change) =>
        change.from <= to &&
        change.to >= from &&
        (key === report ||
          (BORROWED[key].from === report && BORROWED[key].kinds.some((kind) => kind === change.kind))),
    );
  const submissions = await tx.reportSubmission.findMany({
    where: { withdrawnAt: null },
    orderBy: [{ fromOn: "asc" }, { id: "asc" }],
  });
  const submitted = submissions.flatMap(({ report: name, fromOn, toOn }) => {
    const key = REPORT_KEYS.find((candidate) => candidate === name);
    const period = { from: utcDay(fromOn), to: utcDay(toOn) };
    return key && touches(key, period) ? `${reports[key].title}, ${periodName(period)}, is submitted.` : [];
  });
  const through = await closedThrough(queryIn(tx), "FOR SHARE");
  const closed = changes.filter(({ from }) => through !== null && from <= through);
  const first = closed.map(({ from }) => from).sort()[0];
  const last = closed
    .map(({ to }) => (through !== null && to > through ? through : to))
    .sort()
    .at(-1);
  const messages = [
    ...new Set(submitted),
    ...(first && last ? [`${monthsInWords(first, last)} closed.`] : []),
  ];
  if (messages.length > 0) throw new AppError("conflict_in_use", messages);
}

/** Returns the months from one day to another: “October 2026 is”, “All months through October 2026 are”. */
function monthsInWords(first: string, last: string): string {
  const name = (day: string) => periodName(monthOf(day));
  if (first === EARLIEST_DAY) return `All months through ${name(last)} are`;
  return name(first) === name(last)
    ? `${name(last)} is`
    : `The months from ${name(first)} to ${name(last)} are`;
}

/**
 * Returns the lines of a period that the given setup would change, with their counts. Throws 422 without All Forms: a setup
 * could be made to count the records of one day. Saves nothing.
 */
export async function trySetup(
  actor: SessionUser,
  report: ReportKey,
  input: SetupInput,
  asked: ReportQuery,
): Promise<Change[]> {
  assertSeesAllNumbers(actor, "setup");
  await assertValidMappings(report, input);
  const current = await questionOf(actor, report, asked);
  const tried = await questionOf(actor, report, asked, input);
  // One snapshot: a form saved between two reads would look like an effect of the setup.
  const { before, after } = await inSnapshot(async (read) => ({
    before: await readReport(current, read),
    after: await readReport(tried, read),
  }));
  return before.sections.flatMap((section, at) =>
    section.lines.flatMap((line, place) => {
      const now = after.sections[at]?.lines[place]?.count ?? 0;
      if (now === line.count) return [];
      return [{ key: line.key, section: section.title, label: line.label, before: line.count, after: now }];
    }),
  );
}
