import { ReportScreen } from "@/components/reports/report-screen";
import { page } from "@/lib/api/page";
import { reportSegments } from "@/lib/reports/schema";
import { loadReport, reportScreenQuery } from "@/lib/reports/screen";
import { env } from "@/lib/server/env";

/** A funder's report of a quarter, a month or any days. */
export default page({
  permission: "reports",
  params: reportSegments,
  query: reportScreenQuery,
  load: ({ actor, params, query }) => loadReport(actor, params.report, query),
  show: (screen) => <ReportScreen organisation={env().ORGANISATION_NAME} {...screen} />,
});
