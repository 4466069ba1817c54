import { type SignOnOffer, signOnPath } from "@/lib/identity/sign-on/words";

/** Leads to the organisation's own sign-in; a plain link, since no page of this program is there. */
export function SignOnButton({ offer, url }: { offer: SignOnOffer; url: string | null }) {
  return (
    <a href={signOnPath("sign-in", url)} className="button" data-variant="primary">
      Sign in with {offer.name}
    </a>
  );
}
