import { AuditLog } from "@/components/history/audit-log";
import { PageTitle } from "@/components/shell/page-title";
import { pageMeta } from "@/lib/api/list-query";
import { page, unlessTooSlow } from "@/lib/api/page";
import { can } from "@/lib/auth/permissions";
import { shortDateTimeOfDay } from "@/lib/fields/format";
import { auditUsers, listAuditEvents } from "@/lib/history/data";
import { recordOptions } from "@/lib/history/kinds";
import { auditListQuery } from "@/lib/history/schema";

export default page({
  permission: "audit-log",
  query: () => auditListQuery,
  load: async ({ actor, query }) => {
    const none = { auditEvents: [], meta: pageMeta(query, 0) };
    const [{ auditEvents, ...list }, users] = await Promise.all([
      unlessTooSlow(listAuditEvents(actor, query), none),
      auditUsers(actor),
    ]);
    const rows = auditEvents.map((event) => ({ ...event, moment: shortDateTimeOfDay(event.at) }));
    return { ...list, rows, users, records: recordOptions, mayExport: can(actor, "export") };
  },
  show: (data) => (
    <>
      <PageTitle title="Audit Log" />
      <AuditLog {...data} />
    </>
  ),
});
