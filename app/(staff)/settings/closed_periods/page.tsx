import { ClosedPeriods } from "@/components/periods/closed-periods";
import { PageTitle } from "@/components/shell/page-title";
import { page } from "@/lib/api/page";
import { closedThrough, monthsToClose } from "@/lib/periods/data";

export default page({
  permission: "close-periods",
  load: async () => {
    const through = await closedThrough();
    return { through, months: monthsToClose(through) };
  },
  show: (data) => (
    <>
      <PageTitle title="Closed Periods" />
      <ClosedPeriods {...data} />
    </>
  ),
});
