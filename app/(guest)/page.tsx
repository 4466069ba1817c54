import { SignInOptions } from "@/components/identity/sign-in-options";
import { GuestCard } from "@/components/shell/guest-card";
import { landingOf } from "@/components/shell/menu";
import { Link } from "@/components/ui/link";
import { UNAUTHORIZED } from "@/lib/core/api/client";
import { PAGES } from "@/lib/core/pages";
import { isOwnServer, MISSING_WITHOUT_OWN_SERVER } from "@/lib/core/process/own-server";
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
    missing: isOwnServer() ? [] : MISSING_WITHOUT_OWN_SERVER,
  }),
  show: ({ url, unauthorized, offer, byPassword, user, missing }) => (
    <GuestCard title={PAGES.login.title}>
      {user && !unauthorized && (
        <p className="muted">
          You are signed in as {user.firstName} {user.lastName}.{" "}
          <Link href={returnPath(url) ?? landingOf(user).href} className="link touch-link">
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
      {missing.length > 0 && (
        <section aria-label="For development only" className="stack text-muted text-sm">
          <p>
            For development only. Enter no real records here: this server lacks the protections of npm start.
          </p>
          <ul className="list-disc pl-5">
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
    </GuestCard>
  ),
});
