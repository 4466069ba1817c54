import { Home } from "@/components/home/home";
import { PageTitle } from "@/components/shell/page-title";
import { PAGES } from "@/lib/core/pages";
import { homeOf } from "@/lib/home/home";
import { page } from "@/lib/page";

export default page({
  permission: "signed-in",
  load: ({ actor }) => homeOf(actor),
  show: (home) => (
    <>
      <PageTitle title={PAGES.home.title} />
      <Home {...home} />
    </>
  ),
});
