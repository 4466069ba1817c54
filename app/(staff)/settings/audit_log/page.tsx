import { AuditLog } from "@/components/audit/audit-log";
import { PageTitle } from "@/components/shell/page-title";
import { auditUsers, listAuditEvents } from "@/lib/audit/history";
import { auditListQuery, hidingViews } from "@/lib/audit/schema";
import { fieldLabels, recordOptions } from "@/lib/audit-log";
import { can } from "@/lib/core/access/permissions";
import { pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { shortDateTimeOfDay } from "@/lib/core/fields/format";
import { PAGES } from "@/lib/core/pages";
import { page } from "@/lib/page";

export default page({
  permission: "audit-log",
  query: () => hidingViews(auditListQuery),
  load: async ({ actor, query }) => {
    const none = { auditEvents: [], meta: pageMeta(query, 0) };
    const [{ auditEvents, ...list }, users] = await Promise.all([
      unlessTooSlow(listAuditEvents(actor, query), none),
      auditUsers(actor),
    ]);
    const rows = auditEvents.map((event) => ({
      ...event,
      moment: shortDateTimeOfDay(event.at),
      labels: fieldLabels(event.fields),
    }));
    return { ...list, rows, users, records: recordOptions, mayExport: can(actor, "export") };
  },
  show: (data) => (
    <>
      <PageTitle title={PAGES.auditLog.title} />
      <AuditLog {...data} />
    </>
  ),
});
