import { Home } from "@/components/home/home";
import { PageTitle } from "@/components/shell/page-title";
import { page } from "@/lib/api/page";
import { homeOf } from "@/lib/home/data";

/** A place to begin (contract §9). */
export default page({
  permission: "signed-in",
  load: ({ actor }) => homeOf(actor),
  show: (home) => (
    <>
      <PageTitle title="Home" />
      <Home {...home} />
    </>
  ),
});
