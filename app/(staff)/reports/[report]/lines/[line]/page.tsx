import { RefusedNumbers } from "@/components/reports/reader-choice";
import { RecordsScreen } from "@/components/reports/records-screen";
import { page } from "@/lib/page";
import { lineSegments } from "@/lib/reports/schema";
import { loadLine, loadRefusal, reportScreenQuery } from "@/lib/reports/screen";

/** The records behind a number of a report. */
export default page({
  permission: "reports",
  params: lineSegments,
  query: reportScreenQuery,
  load: async ({ actor, params, query }) =>
    (await loadRefusal(actor, params.report, query)) ?? loadLine(actor, params.report, params.line, query),
  show: (screen) => ("choice" in screen ? <RefusedNumbers {...screen} /> : <RecordsScreen {...screen} />),
});
