import { OpenSessions } from "@/components/identity/open-sessions";
import { ProfileForm } from "@/components/identity/profile-form";
import { ApiTokens } from "@/components/identity/tokens/api-tokens";
import { TwoStep } from "@/components/identity/two-step";
import { TwoStepElsewhere } from "@/components/identity/two-step-elsewhere";
import { PageTitle } from "@/components/shell/page-title";
import { BrowserChoiceBox } from "@/components/ui/browser-choice-box";
import { KEYS } from "@/components/ui/browser-choices";
import { Section } from "@/components/ui/section";
import { PAGES } from "@/lib/core/pages";
import { profilePage } from "@/lib/home/profile";
import { page } from "@/lib/page";

export default page({
  permission: "signed-in",
  load: ({ actor }) => profilePage(actor),
  show: ({ profile, passwords, signOn, refuseCommon, twoStep, sessions, tokens }) => (
    <>
      <PageTitle title={PAGES.profile.title} />
      <div className="stack max-w-3xl">
        <ProfileForm profile={profile} passwords={passwords} refuseCommon={refuseCommon} />
        {signOn ? <TwoStepElsewhere signOn={signOn} /> : <TwoStep state={twoStep} />}
        <Section
          title="Keyboard shortcuts"
          description={
            <span className="pointer-coarse:hidden">Press ? on any page to see its shortcuts.</span>
          }
        >
          <BrowserChoiceBox choice={KEYS} />
        </Section>
        <OpenSessions sessions={sessions} />
        {tokens && <ApiTokens {...tokens} />}
      </div>
    </>
  ),
});
