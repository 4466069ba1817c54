import { RecordsScreen } from "@/components/reports/records-screen";
import { page } from "@/lib/page";
import { gapSegments } from "@/lib/reports/schema";
import { loadGap, reportScreenQuery } from "@/lib/reports/screen";

/** Lists the clients and forms that lack a value the report needs. */
export default page({
  permission: "reports",
  params: gapSegments,
  query: reportScreenQuery,
  load: ({ actor, params, query }) => loadGap(actor, params.report, params.field, query),
  show: (screen) => <RecordsScreen {...screen} />,
});
