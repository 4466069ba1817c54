import { OwnSessions } from "@/components/accounts/own-sessions";
import { ProfileForm } from "@/components/accounts/profile-form";
import { TwoStep } from "@/components/accounts/two-step";
import { TwoStepElsewhere } from "@/components/accounts/two-step-elsewhere";
import { PageTitle } from "@/components/shell/page-title";
import { OwnTokens } from "@/components/tokens/own-tokens";
import { BrowserChoiceBox } from "@/components/ui/browser-choice-box";
import { KEYS } from "@/components/ui/browser-choices";
import { Section } from "@/components/ui/section";
import { page } from "@/lib/api/page";
import { profilePage } from "@/lib/home/profile";

export default page({
  permission: "signed-in",
  load: ({ actor }) => profilePage(actor),
  show: ({ profile, passwords, signOn, refuseCommon, twoStep, sessions, tokens }) => (
    <>
      <PageTitle title="Profile" />
      <div className="stack">
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
        <OwnSessions sessions={sessions} />
        {tokens && <OwnTokens {...tokens} />}
      </div>
    </>
  ),
});
