import { RetainedClients } from "@/components/retention/retained-clients";
import { RetentionSetting } from "@/components/retention/retention-setting";
import { PageTitle } from "@/components/shell/page-title";
import { can } from "@/lib/core/access/permissions";
import { pageMeta } from "@/lib/core/api/list-query";
import { unlessTooSlow } from "@/lib/core/api/unless-too-slow";
import { PAGES } from "@/lib/core/pages";
import { page } from "@/lib/page";
import { listRetained, readRetention } from "@/lib/retention/retention";
import { retainedClientsQuery } from "@/lib/retention/schema";

/** Lists clients due to be purged and clients under legal hold, and sets when purges happen. */
export default page({
  permission: "retention",
  query: () => retainedClientsQuery,
  load: async ({ actor, query }) => {
    const none = { clients: [], meta: pageMeta(query, 0) };
    const [retention, list] = await Promise.all([
      readRetention(actor),
      unlessTooSlow(listRetained(actor, query), none),
    ]);
    const may = { mayExport: can(actor, "export"), seesClients: can(actor, "clients") };
    return { retention, held: query.filters.held, ...may, ...list };
  },
  show: ({ retention, ...list }) => (
    <>
      <PageTitle title={PAGES.retention.title} />
      <div className="stack">
        <RetentionSetting retention={retention} />
        <RetainedClients retention={retention} {...list} />
      </div>
    </>
  ),
});
