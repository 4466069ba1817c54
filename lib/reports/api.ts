import * as z from "zod/mini";
import { endpoint } from "@/lib/core/api/endpoint";
import { listFile } from "@/lib/core/api/list-file";
import { file } from "@/lib/core/api/response";
import {
  behindResponse,
  gapParams,
  gapResponse,
  lineParams,
  openWork,
  openWorkQuery,
  reportKey,
  reportParams,
  reportQuery,
  reportResponse,
  sharedQuery,
  timeResponse,
} from "@/lib/reports/schema";
import { setupBody, setupResponse, tryBody, tryQuery, tryResponse } from "@/lib/reports/setup/schema";
import {
  submissionBody,
  submissionParams,
  submissionResponse,
  submissionsQuery,
  submissionsResponse,
  submittedResponse,
  withdrawBody,
} from "@/lib/reports/submissions/schema";

export const getOpenWork = endpoint("GET /api/closed_periods/open_work", {
  about:
    "Counts what is unfinished in the days that closing through this day would close: unreconciled forms, returned forms, drafts, and gaps of the reports, as far as the caller may see them. The number of gaps is null if counting takes too long.",
  permission: "close-periods",
  query: openWorkQuery,
  response: z.object({ openWork }),
});

export const listReports = endpoint("GET /api/reports", {
  permission: "reports",
  response: z.object({ reports: z.array(z.object({ key: reportKey, title: z.string() })) }),
});

export const getReport = endpoint("GET /api/reports/{key}", {
  about:
    "Counts the records the caller may see. Without All Forms, these are the caller's own (`userId`); otherwise only a copy for sharing is allowed (`share=true`). In a copy, a count is null and `suppressed` if it is 1 to 4 or would reveal such a number. The period of a copy must be a whole quarter that has ended, in `fvpsa` a whole fiscal year.",
  permission: "reports",
  params: reportParams,
  query: sharedQuery,
  response: z.object({ report: reportResponse }),
  errors: ["not_found"],
});

export const getReportLine = endpoint("GET /api/reports/{key}/lines/{lineKey}", {
  about:
    "Returns the clients and records behind a number that the caller may see: without All Forms, only with the caller's own `userId`. Only a report that counts shelter has `stays` and `surveys`; it and lines of contacts or events have `contacts` or `events`. The records are recorded as listed.",
  permission: "reports",
  params: lineParams,
  query: reportQuery,
  response: behindResponse,
  errors: ["not_found"],
  audit: { entity: ["client", "form"], action: "listed" },
});

export const getReportGaps = endpoint("GET /api/reports/{key}/gaps", {
  about:
    "Returns the clients and records that lack a value which the report needs: without All Forms, only with the caller's own `userId`.",
  permission: "reports",
  params: reportParams,
  query: reportQuery,
  response: z.object({ gaps: z.array(gapResponse) }),
  errors: ["not_found"],
  audit: { entity: ["client", "form"], action: "listed" },
});

const behind = { permission: "reports", entity: ["client", "form"] } as const;
const records = { ...behind, query: reportQuery } as const;
const ofLine = { params: lineParams, errors: ["not_found"] } as const;
const lineRecords = "/api/reports/{key}/lines/{lineKey}/records";
export const exportLine = { ...listFile(lineRecords, "csv", records), ...ofLine } as const;
export const exportLineXlsx = { ...listFile(lineRecords, "xlsx", records), ...ofLine } as const;
const ofGap = { params: gapParams, errors: ["not_found"] } as const;
const gapRecords = "/api/reports/{key}/gaps/{field}/records";
export const exportGap = { ...listFile(gapRecords, "csv", records), ...ofGap } as const;
export const exportGapXlsx = { ...listFile(gapRecords, "xlsx", records), ...ofGap } as const;

export const getTime = endpoint("GET /api/reports/time", {
  about:
    "Returns the caller's own minutes, or with Reports and All Forms those of any user (otherwise 403). `contactMinutes` are those of contacts that are linked to no form, `activityMinutes` those of activities, `sessionMinutes` those of led group sessions, and `eventMinutes` those of events in which the advocate was staff; they are not part of `minutes`. Services that a session wrote are in none.",
  permission: "signed-in",
  query: reportQuery,
  response: timeResponse,
  errors: ["forbidden"],
  audit: { entity: "user", action: "listed" },
});

export const getReportCsv = endpoint("GET /api/reports/{key}/csv", {
  about: "Returns a CSV file of totals only, for the same queries as the report.",
  permission: "export",
  additionalPermissions: "reports",
  params: reportParams,
  query: sharedQuery,
  response: file("text/csv"),
  errors: ["not_found"],
  audit: { entity: "report", action: "exported" },
});

export const getTimeCsv = endpoint("GET /api/reports/time/csv", {
  permission: "export",
  additionalPermissions: "reports",
  query: reportQuery,
  response: file("text/csv"),
  audit: { entity: ["user", "report"], action: ["listed", "exported"] },
});

export const getSetup = endpoint("GET /api/reports/{key}/setup", {
  permission: "reports-setup",
  params: reportParams,
  response: setupResponse,
  errors: ["not_found"],
});

export const saveSetup = endpoint("PUT /api/reports/{key}/setup", {
  about:
    "Replaces the whole setup. The response is 409 `conflict_version` if `lockVersion` is old. If a mapping changes days of a submitted or closed period, or the year starts in another month, it is 409 `conflict_in_use` with these submissions and months, unless `confirmed` is true.",
  permission: "reports-setup",
  params: reportParams,
  body: setupBody,
  response: setupResponse,
  errors: ["not_found", "conflict_version", "conflict_in_use"],
  audit: { entity: "reportSetup", action: ["updated", "viewed"] },
});

export const trySetup = endpoint("POST /api/reports/{key}/setup/try", {
  about:
    "Returns the lines of a period that a setup would change, with their counts. The response is 422 without All Forms. Saves nothing.",
  permission: "reports-setup",
  params: reportParams,
  query: tryQuery,
  body: tryBody,
  response: tryResponse,
  errors: ["not_found"],
});

export const listSubmissions = endpoint("GET /api/reports/{key}/submissions", {
  about:
    "Returns the latest 100 submissions, latest first. If `more` is true, send the id of the last one as `before` to get older ones.",
  permission: "reports",
  params: reportParams,
  query: submissionsQuery,
  response: submissionsResponse,
  errors: ["not_found"],
  audit: { entity: "submission", action: "listed" },
});

export const submit = endpoint("POST /api/reports/{key}/submissions", {
  about:
    "Marks a whole quarter as submitted, in `fvpsa` also a whole fiscal year: stores its numbers with the records behind them. The period must have ended, and the caller must hold All Forms (422).",
  permission: "reports",
  params: reportParams,
  body: submissionBody,
  response: submissionResponse,
  status: 201,
  errors: ["not_found", "conflict_busy"],
  audit: { entity: "submission", action: "created" },
});

export const getSubmission = endpoint("GET /api/reports/{key}/submissions/{id}", {
  about:
    "Returns a submission and the changes since then, by line and by record within a line, to holders of All Forms (otherwise 422). A record that does not exist any more is `removed` and has no id. With `olderRules`, it was counted by other rules than today, and no changes are listed.",
  permission: "reports",
  params: submissionParams,
  response: submittedResponse,
  errors: ["not_found"],
  audit: { entity: ["client", "form"], action: "listed" },
});

export const withdraw = endpoint("POST /api/reports/{key}/submissions/{id}/withdraw", {
  about:
    "Withdraws a submission, which is kept and shown as withdrawn. The response is 403 for others than its author and holders of Reports Setup, and 409 if it is withdrawn already or is not the latest of its period.",
  permission: "reports",
  params: submissionParams,
  body: withdrawBody,
  response: submissionResponse,
  errors: ["not_found", "conflict_in_use"],
  audit: { entity: "submission", action: "withdrawn" },
});

const changes = { ...behind, query: z.object({}) } as const;
const ofSubmission = { params: submissionParams, errors: ["not_found"] } as const;
const submissionChanges = "/api/reports/{key}/submissions/{id}/changes";
export const exportSubmission = { ...listFile(submissionChanges, "csv", changes), ...ofSubmission } as const;
export const exportSubmissionXlsx = {
  ...listFile(submissionChanges, "xlsx", changes),
  ...ofSubmission,
} as const;
