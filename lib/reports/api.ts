import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import {
  behindAnswer,
  gapAnswer,
  lineParams,
  reportAnswer,
  reportKey,
  reportParams,
  reportQuery,
  timeAnswer,
  timeQuery,
} from "@/lib/reports/schema";

export const listReports = endpoint({
  method: "GET",
  path: "/api/reports",
  permission: "reports",
  answer: z.object({ reports: z.array(z.object({ key: reportKey, title: z.string() })) }),
});

export const getReport = endpoint({
  method: "GET",
  path: "/api/reports/{key}",
  permission: "reports",
  params: reportParams,
  query: reportQuery,
  answer: z.object({ report: reportAnswer }),
  errors: ["not_found"],
});

/** What stands behind a number, as far as the caller may see it. */
export const getReportLine = endpoint({
  method: "GET",
  path: "/api/reports/{key}/lines/{lineKey}",
  permission: "reports",
  params: lineParams,
  query: reportQuery,
  answer: behindAnswer,
  errors: ["not_found"],
});

export const getReportGaps = endpoint({
  method: "GET",
  path: "/api/reports/{key}/gaps",
  permission: "reports",
  params: reportParams,
  query: reportQuery,
  answer: z.object({ gaps: z.array(gapAnswer) }),
  errors: ["not_found"],
});

/** One's own minutes; anyone's for holders of All Forms. */
export const getTime = endpoint({
  method: "GET",
  path: "/api/reports/time",
  permission: "reports",
  query: timeQuery,
  answer: timeAnswer,
});
