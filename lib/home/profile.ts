import "server-only";
import { env } from "@/lib/core/process/env";
import { shortDateTimeOfDay } from "@/lib/core/text/format";
import { getProfile } from "@/lib/identity/accounts";
import { type Actor, listSessions } from "@/lib/identity/session";
import { passwordWorks, signOnOffer } from "@/lib/identity/sign-on/settings";
import { accessTokens } from "@/lib/identity/tokens/tokens";
import { twoStepOf } from "@/lib/identity/two-step/settings";

/** Returns everything the profile page shows of its user, with times in the organization's time zone. */
export async function profilePage(actor: Actor) {
  const [profile, twoStep, sessions, tokens] = await Promise.all([
    getProfile(actor),
    twoStepOf(actor),
    listSessions(actor),
    accessTokens(actor),
  ]);
  return {
    profile,
    /** True if this account can have a password. */
    passwords: passwordWorks(actor.email),
    signOn: (actor.singleSignOn && signOnOffer()?.name) || null,
    refuseCommon: env().REFUSE_COMMON_PASSWORDS,
    twoStep,
    sessions: sessions.map(({ id, device, lastSeenAt, current }) => ({
      id,
      device,
      lastSeen: shortDateTimeOfDay(lastSeenAt),
      current,
    })),
    tokens,
  };
}
