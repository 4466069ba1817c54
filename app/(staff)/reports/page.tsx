import { Overview, SharedOverview } from "@/components/reports/overview";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { can } from "@/lib/core/access/permissions";
import { PAGES, to } from "@/lib/core/pages";
import { page } from "@/lib/page";
import { seesAllNumbers } from "@/lib/reports/access";
import { loadOverview, loadSharedOverview } from "@/lib/reports/screen";

/** An overview of the last twelve months, the answers to a field, and links to the reports. */
export default page({
  permission: "reports",
  load: async ({ actor, search }) =>
    seesAllNumbers(actor)
      ? { ...(await loadOverview(actor, String(search.field ?? ""))), writesForms: can(actor, "forms") }
      : loadSharedOverview(actor),
  show: (overview) => (
    <>
      <PageTitle
        title={PAGES.reportsList.title}
        actions={<LinkButton href={to("reportsTime")}>{PAGES.reportsTime.title}</LinkButton>}
      />
      {"readShared" in overview ? <SharedOverview {...overview} /> : <Overview {...overview} />}
    </>
  ),
});
