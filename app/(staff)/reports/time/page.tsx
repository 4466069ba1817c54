import { TimeScreen } from "@/components/reports/time-screen";
import { page } from "@/lib/page";
import { loadTime, timeScreenQuery } from "@/lib/reports/screen";

/** Minutes by day and code; the user's own by default. */
export default page({
  permission: ["reports", "forms", "contacts", "activities", "groups", "events"],
  query: timeScreenQuery,
  load: ({ actor, query }) => loadTime(actor, query),
  show: (screen) => <TimeScreen {...screen} />,
});
