import { TwoStep } from "@/components/identity/two-step";
import { landingOf } from "@/components/shell/menu";
import { PageTitle } from "@/components/shell/page-title";
import { PAGES } from "@/lib/core/pages";
import { returnPath } from "@/lib/identity/return-path";
import { twoStepOf } from "@/lib/identity/two-step/settings";
import { page } from "@/lib/page";

/** Two-step setup for users whose role requires it. They cannot use other pages until it is done. */
export default page({
  permission: "signed-in",
  beforeTwoStep: true,
  load: async ({ actor, search }) => ({
    state: await twoStepOf(actor),
    onward: returnPath([search.url].flat()[0]) ?? landingOf(actor).href,
    isWaiting: actor.twoStepRequired,
  }),
  show: ({ state, onward, isWaiting }) => (
    <>
      <PageTitle title={PAGES.twoStep.title} />
      <div className="stack max-w-3xl">
        {isWaiting && (
          <p>
            Your role requires two-step sign-in. Setup takes about two minutes. After that, you can continue
            where you were. Nothing you entered is lost.
          </p>
        )}
        <TwoStep state={state} onward={onward} />
      </div>
    </>
  ),
});
