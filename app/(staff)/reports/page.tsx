import { Overview } from "@/components/reports/overview";
import { PageTitle } from "@/components/shell/page-title";
import { LinkButton } from "@/components/ui/controls";
import { PAGES, to } from "@/lib/core/pages";
import { page } from "@/lib/page";
import { loadOverview } from "@/lib/reports/screen";

/** An overview of the last twelve months, the answers to a field, and links to the reports. */
export default page({
  permission: "reports",
  load: ({ actor, search }) => loadOverview(actor, String(search.field ?? "")),
  show: (overview) => (
    <>
      <PageTitle
        title={PAGES.reportsList.title}
        actions={<LinkButton href={to("reportsTime")}>{PAGES.reportsTime.title}</LinkButton>}
      />
      <Overview {...overview} />
    </>
  ),
});
