import { z } from "zod";
import { SignOnFailed } from "@/components/accounts/sign-on-failed";
import { SignedOn } from "@/components/accounts/signed-on";
import { GuestCard } from "@/components/shell/guest-card";
import { page } from "@/lib/api/page";
import { currentUser } from "@/lib/auth/page-session";
import { meOf } from "@/lib/auth/permissions";
import { signOnOffer } from "@/lib/auth/sign-on/settings";
import { SIGN_ON_FAILURES, SIGN_ON_PURPOSES } from "@/lib/auth/sign-on/words";

const query = z.object({
  purpose: z.enum(SIGN_ON_PURPOSES).catch("sign-in"),
  failure: z.enum(SIGN_ON_FAILURES).nullable().catch(null),
  url: z.string().nullable().catch(null),
});

/** Where single sign-on ends, whatever came of it (lib/auth/sign-on/flow.ts). */
export default page({
  permission: "guest",
  load: async ({ search }) => ({ offer: signOnOffer(), user: await currentUser(), ...query.parse(search) }),
  show: ({ offer, user, purpose, failure, url }) => (
    <GuestCard title="Sign-in">
      {offer && user && !failure ? (
        <SignedOn purpose={purpose} url={url} user={meOf(user)} />
      ) : (
        <SignOnFailed failure={failure ?? "unfinished"} offer={offer} purpose={purpose} url={url} />
      )}
    </GuestCard>
  ),
});
