import { ReportScreen } from "@/components/reports/report-screen";
import { branding } from "@/lib/core/branding/branding";
import { page } from "@/lib/page";
import { reportSegments } from "@/lib/reports/schema";
import { loadReport, reportScreenQuery } from "@/lib/reports/screen";

/** A funder report for a quarter, a month or any range of days. */
export default page({
  permission: "reports",
  params: reportSegments,
  query: reportScreenQuery,
  load: async ({ actor, params, query }) => ({
    brand: await branding(),
    ...(await loadReport(actor, params.report, query)),
  }),
  show: (screen) => <ReportScreen {...screen} />,
});
