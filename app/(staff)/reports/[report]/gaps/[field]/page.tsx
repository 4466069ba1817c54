import { RefusedNumbers } from "@/components/reports/reader-choice";
import { RecordsScreen } from "@/components/reports/records-screen";
import { page } from "@/lib/page";
import { gapSegments } from "@/lib/reports/schema";
import { loadGap, loadRefusal, reportScreenQuery } from "@/lib/reports/screen";

/** Lists the clients and forms that lack a value the report needs. */
export default page({
  permission: "reports",
  params: gapSegments,
  query: reportScreenQuery,
  load: async ({ actor, params, query }) =>
    (await loadRefusal(actor, params.report, query)) ?? loadGap(actor, params.report, params.field, query),
  show: (screen) => ("choice" in screen ? <RefusedNumbers {...screen} /> : <RecordsScreen {...screen} />),
});
