import { AllData } from "@/components/archive/all-data";
import { PageTitle } from "@/components/shell/page-title";
import { page } from "@/lib/api/page";
import { lackedPermissions } from "@/lib/auth/permissions";

/** Where all data is downloaded at once, by those who hold every permission. */
export default page({
  permission: "export",
  load: async ({ actor }) => ({ lacked: lackedPermissions(actor) }),
  show: (data) => (
    <>
      <PageTitle title="All Data" />
      <AllData {...data} />
    </>
  ),
});
