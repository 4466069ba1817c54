import { ErrorAlert } from "@/components/ui/alert";
import { Link } from "@/components/ui/link";
import { to } from "@/lib/core/pages";
import {
  type SignOnFailure,
  type SignOnOffer,
  type SignOnPurpose,
  signOnPath,
} from "@/lib/identity/sign-on/words";

const TEXTS: Record<SignOnFailure, (name: string) => string> = {
  refused: (name) =>
    `You could not be signed in with ${name}. If you should have access here, please ask your administrator.`,
  unfinished: () =>
    "The sign-in was not completed, took too long, or was started in another browser. Please try again.",
  unproven: (name) =>
    `${name} did not confirm a new sign-in, which is required here. Please ask your administrator.`,
  unavailable: (name) => `Sign-in with ${name} is not available right now. Please try again later.`,
};

/** Explains why single sign-on failed and what to do. Without an `offer`, single sign-on is not set up here. */
export function SignOnFailed({
  failure,
  offer,
  purpose,
  url,
}: {
  failure: SignOnFailure;
  offer: SignOnOffer | null;
  purpose: SignOnPurpose;
  url: string | null;
}) {
  const back = (
    <Link
      href={url ? `${to("login")}?${new URLSearchParams({ url })}` : to("login")}
      className="link touch-link self-start"
    >
      Back to Login
    </Link>
  );
  if (!offer)
    return (
      <>
        <p>Sign in here with your email and password.</p>
        {back}
      </>
    );
  return (
    <>
      <ErrorAlert messages={TEXTS[failure](offer.name)} />
      {failure === "unavailable" && !offer.only && <p>Meanwhile, you can sign in with your password.</p>}
      <a href={signOnPath(purpose, url)} className="button" data-variant="primary">
        Try again
      </a>
      {back}
    </>
  );
}
