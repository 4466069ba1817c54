import { AuditLog } from "@/components/audit/audit-log";
import { PageTitle } from "@/components/shell/page-title";
import { auditUsers, loadAuditLog } from "@/lib/audit/history";
import { auditListQuery, hidingViews } from "@/lib/audit/schema";
import { eventWords, recordOptions } from "@/lib/audit-log";
import { can } from "@/lib/core/access/permissions";
import { pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { PAGES } from "@/lib/core/pages";
import { page } from "@/lib/page";

export default page({
  permission: "audit-log",
  query: () => hidingViews(auditListQuery),
  load: async ({ actor, query }) => {
    const none = { rows: [], meta: pageMeta(query, 0) };
    const [list, users] = await Promise.all([
      unlessTooSlow(loadAuditLog(actor, query, eventWords), none),
      auditUsers(actor),
    ]);
    return { ...list, users, records: recordOptions, mayExport: can(actor, "export") };
  },
  show: (data) => (
    <>
      <PageTitle title={PAGES.auditLog.title} />
      <AuditLog {...data} />
    </>
  ),
});
