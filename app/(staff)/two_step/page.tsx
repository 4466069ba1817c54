import { TwoStep } from "@/components/accounts/two-step";
import { landingOf } from "@/components/shell/menu";
import { PageTitle } from "@/components/shell/page-title";
import { returnPath } from "@/lib/accounts/return-path";
import { twoStepOf } from "@/lib/accounts/two-step/data";
import { page } from "@/lib/api/page";

/** Where people set up two-step sign-in whose role requires it, before they go on (contract §8). */
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
      <PageTitle title="Two-step sign-in" />
      <div className="stack max-w-3xl">
        {isWaiting && (
          <p>
            Your role requires two-step sign-in. Setting it up takes about two minutes; then you continue
            where you were. Nothing that you entered is lost.
          </p>
        )}
        <TwoStep state={state} onward={onward} />
      </div>
    </>
  ),
});
