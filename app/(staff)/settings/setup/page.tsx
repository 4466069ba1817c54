import { SET_UP_AT_HOME } from "@/components/home/set-up-choice";
import { SetUpProgress, SetUpSteps } from "@/components/home/set-up-steps";
import { PageTitle } from "@/components/shell/page-title";
import { BrowserChoiceBox } from "@/components/ui/browser-choice-box";
import { PAGES } from "@/lib/core/pages";
import { setUpOf } from "@/lib/home/set-up";
import { page } from "@/lib/page";

/** The steps of setting up the organization, done or not. */
export default page({
  permission: "organization",
  load: async ({ actor }) => ({ steps: await setUpOf(actor) }),
  show: ({ steps }) => (
    <>
      <PageTitle title={PAGES.setUp.title} />
      <div className="stack max-w-3xl">
        <section className="card stack p-4 sm:p-5" aria-label={PAGES.setUp.title}>
          <SetUpProgress steps={steps} />
          <SetUpSteps steps={steps} />
        </section>
        <BrowserChoiceBox choice={SET_UP_AT_HOME} />
      </div>
    </>
  ),
});
