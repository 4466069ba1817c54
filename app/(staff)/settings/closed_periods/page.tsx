import { ClosedPeriods } from "@/components/forms/periods/closed-periods";
import { PageTitle } from "@/components/shell/page-title";
import { PAGES } from "@/lib/core/pages";
import { closedThrough, monthsToClose } from "@/lib/forms/periods/closed-periods";
import { page } from "@/lib/page";

export default page({
  permission: "close-periods",
  load: async () => {
    const through = await closedThrough();
    return { through, months: monthsToClose(through) };
  },
  show: (data) => (
    <>
      <PageTitle title={PAGES.closedPeriods.title} />
      <div className="max-w-3xl">
        <ClosedPeriods {...data} />
      </div>
    </>
  ),
});
