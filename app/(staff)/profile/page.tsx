import { OwnSessions } from "@/components/accounts/own-sessions";
import { ProfileForm } from "@/components/accounts/profile-form";
import { TwoStep } from "@/components/accounts/two-step";
import { PageTitle } from "@/components/shell/page-title";
import { BrowserChoiceBox } from "@/components/ui/browser-choice-box";
import { KEYS } from "@/components/ui/browser-choices";
import { Section } from "@/components/ui/section";
import { getProfile } from "@/lib/accounts/data";
import { twoStepOf } from "@/lib/accounts/two-step/data";
import { page } from "@/lib/api/page";
import { listSessions } from "@/lib/auth/session";
import { shortDateTimeOfDay } from "@/lib/fields/format";
import { env } from "@/lib/server/env";

export default page({
  permission: "signed-in",
  load: ({ actor }) => Promise.all([getProfile(actor), twoStepOf(actor), listSessions(actor)]),
  show: ([profile, twoStep, sessions]) => (
    <>
      <PageTitle title="Profile" />
      <div className="stack">
        <ProfileForm profile={profile} refuseCommon={env().REFUSE_COMMON_PASSWORDS} />
        <TwoStep state={twoStep} />
        <Section title="Keys" description="Press ? on any page to see its keys.">
          <BrowserChoiceBox choice={KEYS} />
        </Section>
        <OwnSessions
          sessions={sessions.map(({ id, device, lastSeenAt, current }) => ({
            id,
            device,
            lastSeen: shortDateTimeOfDay(lastSeenAt),
            current,
          }))}
        />
      </div>
    </>
  ),
});
