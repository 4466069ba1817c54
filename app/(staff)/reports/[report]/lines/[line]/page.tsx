import { RecordsScreen } from "@/components/reports/records-screen";
import { page } from "@/lib/page";
import { lineSegments } from "@/lib/reports/schema";
import { loadLine, reportScreenQuery } from "@/lib/reports/screen";

/** The records behind a number of a report. */
export default page({
  permission: "reports",
  params: lineSegments,
  query: reportScreenQuery,
  load: ({ actor, params, query }) => loadLine(actor, params.report, params.line, query),
  show: (screen) => <RecordsScreen {...screen} />,
});
