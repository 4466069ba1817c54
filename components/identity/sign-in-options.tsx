import { ErrorAlert } from "@/components/ui/alert";
import { Link } from "@/components/ui/link";
import { to } from "@/lib/core/pages";
import type { SignOnOffer } from "@/lib/identity/sign-on/words";
import { LoginForm } from "./login-form";
import { SignOnButton } from "./sign-on-button";

/**
 * The ways to sign in: with a password, with single sign-on if there is an `offer`, or only with that. Then
 * `byPassword` shows the password form for the break-glass administrator. `failure` and `url` are those of `LoginForm`.
 */
export function SignInOptions({
  offer,
  byPassword,
  failure,
  url,
}: {
  offer: SignOnOffer | null;
  byPassword: boolean;
  failure: string | null;
  url: string | null;
}) {
  if (offer?.only && !byPassword)
    return (
      <>
        <ErrorAlert messages={failure} />
        <SignOnButton offer={offer} url={url} />
        <Link
          href={`${to("login")}?${new URLSearchParams({ password: "true", ...(url && { url }) })}`}
          className="link touch-link self-start text-sm"
        >
          Sign in as the emergency administrator
        </Link>
      </>
    );
  return (
    <>
      {offer && (
        <>
          <SignOnButton offer={offer} url={url} />
          <p className="muted">
            {offer.only
              ? "Or, if that does not work, as the emergency administrator:"
              : "Or with a password:"}
          </p>
        </>
      )}
      <LoginForm failure={failure} url={url} />
    </>
  );
}
