import { headers } from "next/headers";
import { Home } from "@/components/home/home";
import { SetUpAtHome } from "@/components/home/set-up";
import { SET_UP_AT_HOME } from "@/components/home/set-up-choice";
import { PageTitle } from "@/components/shell/page-title";
import { isChosen } from "@/components/ui/browser-choices";
import { can } from "@/lib/core/access/permissions";
import { PAGES } from "@/lib/core/pages";
import { homeOf } from "@/lib/home/home";
import { isSetUp, setUpOf } from "@/lib/home/set-up";
import { page } from "@/lib/page";

export default page({
  permission: "signed-in",
  load: async ({ actor }) => {
    const isShown = can(actor, "organization") && isChosen(SET_UP_AT_HOME, (await headers()).get("cookie"));
    const [home, steps] = await Promise.all([homeOf(actor), isShown ? setUpOf(actor) : null]);
    return { home, steps: steps && !isSetUp(steps) ? steps : null };
  },
  show: ({ home, steps }) => (
    <>
      <PageTitle title={PAGES.home.title} />
      {steps && <SetUpAtHome steps={steps} />}
      <Home {...home} isNew={home.isNew && steps === null} />
    </>
  ),
});
