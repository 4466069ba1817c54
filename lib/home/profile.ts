import "server-only";
import { getProfile } from "@/lib/accounts/data";
import { twoStepOf } from "@/lib/accounts/two-step/data";
import { type Actor, listSessions } from "@/lib/auth/session";
import { passwordWorks, signOnOffer } from "@/lib/auth/sign-on/settings";
import { shortDateTimeOfDay } from "@/lib/fields/format";
import { env } from "@/lib/server/env";
import { ownTokens } from "@/lib/tokens/data";

/** All that the profile page shows of its user, with times in the organisation's time zone. */
export async function profilePage(actor: Actor) {
  const [profile, twoStep, sessions, tokens] = await Promise.all([
    getProfile(actor),
    twoStepOf(actor),
    listSessions(actor),
    ownTokens(actor),
  ]);
  return {
    profile,
    /** Whether a password of this account works at all. */
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
