import { z } from "zod";
import { SignOnFailed } from "@/components/identity/sign-on-failed";
import { SignedOn } from "@/components/identity/signed-on";
import { GuestCard } from "@/components/shell/guest-card";
import { meOf } from "@/lib/core/access/permissions";
import { PAGES } from "@/lib/core/pages";
import { currentUser } from "@/lib/identity/page-session";
import { signOnOffer } from "@/lib/identity/sign-on/settings";
import { SIGN_ON_FAILURES, SIGN_ON_PURPOSES } from "@/lib/identity/sign-on/words";
import { page } from "@/lib/page";

const query = z.object({
  purpose: z.enum(SIGN_ON_PURPOSES).catch("sign-in"),
  failure: z.enum(SIGN_ON_FAILURES).nullable().catch(null),
  url: z.string().nullable().catch(null),
});

/** The last page of single sign-on, after success or failure (lib/identity/sign-on/flow.ts). */
export default page({
  permission: "guest",
  load: async ({ search }) => ({ offer: signOnOffer(), user: await currentUser(), ...query.parse(search) }),
  show: ({ offer, user, purpose, failure, url }) => (
    <GuestCard title={PAGES.singleSignOn.title}>
      {offer && user && !failure ? (
        <SignedOn purpose={purpose} url={url} user={meOf(user)} />
      ) : (
        <SignOnFailed failure={failure ?? "unfinished"} offer={offer} purpose={purpose} url={url} />
      )}
    </GuestCard>
  ),
});
