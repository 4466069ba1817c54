import { SignInOptions } from "@/components/identity/sign-in-options";
import { GuestCard } from "@/components/shell/guest-card";
import { landingOf } from "@/components/shell/menu";
import { Link } from "@/components/ui/link";
import { UNAUTHORIZED } from "@/lib/core/api/client";
import { PAGES } from "@/lib/core/pages";
import { currentUser } from "@/lib/identity/page-session";
import { returnPath } from "@/lib/identity/return-path";
import { signOnOffer } from "@/lib/identity/sign-on/settings";
import { page } from "@/lib/page";

export default page({
  permission: "guest",
  load: async ({ search }) => ({
    url: [search.url].flat()[0] ?? null,
    unauthorized: search.unauthorized !== undefined,
    offer: signOnOffer(),
    byPassword: search.password !== undefined,
    user: await currentUser(),
  }),
  show: ({ url, unauthorized, offer, byPassword, user }) => (
    <GuestCard title={PAGES.login.title}>
      {user && !unauthorized && (
        <p className="muted">
          You are signed in as {user.firstName} {user.lastName}.{" "}
          <Link href={returnPath(url) ?? landingOf(user).href} className="link">
            Continue
          </Link>
        </p>
      )}
      {unauthorized && !user && returnPath(url) && <p>Sign in to go back to the page you were on.</p>}
      <SignInOptions
        offer={offer}
        byPassword={byPassword}
        failure={unauthorized ? UNAUTHORIZED : null}
        url={url}
      />
    </GuestCard>
  ),
});
