import { PageTitle } from "@/components/shell/page-title";
import { AllData } from "@/components/transfer/archive/all-data";
import { lackedPermissions } from "@/lib/core/access/permissions";
import { PAGES } from "@/lib/core/pages";
import { page } from "@/lib/page";

/** Downloads all data at once. Requires every permission. */
export default page({
  permission: "export",
  load: async ({ actor }) => ({ lacked: lackedPermissions(actor) }),
  show: (data) => (
    <>
      <PageTitle title={PAGES.allData.title} />
      <div className="max-w-3xl">
        <AllData {...data} />
      </div>
    </>
  ),
});
