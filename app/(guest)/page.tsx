import { WaysIn } from "@/components/accounts/ways-in";
import { GuestCard } from "@/components/shell/guest-card";
import { landingOf } from "@/components/shell/menu";
import { Link } from "@/components/ui/link";
import { returnPath } from "@/lib/accounts/return-path";
import { page } from "@/lib/api/page";
import { currentUser } from "@/lib/auth/page-session";
import { signOnOffer } from "@/lib/auth/sign-on/settings";

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
    <GuestCard title="Login">
      {user && !unauthorized && (
        <p className="muted">
          You are signed in as {user.firstName} {user.lastName}.{" "}
          <Link href={returnPath(url) ?? landingOf(user).href} className="link">
            Continue
          </Link>
        </p>
      )}
      {unauthorized && !user && <p>Nothing is lost. Please sign in, and you will be where you were going.</p>}
      <WaysIn
        offer={offer}
        byPassword={byPassword}
        failure={unauthorized ? "Unauthorized Request" : null}
        url={url}
      />
    </GuestCard>
  ),
});
