import { OwnSessions } from "@/components/accounts/own-sessions";
import { ProfileForm } from "@/components/accounts/profile-form";
import { PageTitle } from "@/components/shell/page-title";
import { getProfile } from "@/lib/accounts/data";
import { listSessions, requireUser } from "@/lib/auth/session";
import { shortDateTimeOfDay } from "@/lib/fields/format";
import { env } from "@/lib/server/env";

export default async function ProfilePage() {
  const user = await requireUser();
  const [profile, sessions] = await Promise.all([getProfile(user), listSessions(user)]);
  const rows = sessions.map(({ id, device, lastSeenAt, current }) => ({
    id,
    device,
    lastSeen: shortDateTimeOfDay(lastSeenAt),
    current,
  }));
  return (
    <>
      <PageTitle title="Profile" />
      <div className="stack">
        <ProfileForm profile={profile} refuseCommon={env().REFUSE_COMMON_PASSWORDS} />
        <OwnSessions sessions={rows} />
      </div>
    </>
  );
}
