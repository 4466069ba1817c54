import { type SignOnOffer, signOnPath } from "@/lib/identity/sign-on/words";

/** A link to the organization's sign-in. A plain link, because the page is not part of this program. */
export function SignOnButton({ offer, url }: { offer: SignOnOffer; url: string | null }) {
  return (
    <a href={signOnPath("sign-in", url)} className="button" data-variant="primary">
      Sign in with {offer.name}
    </a>
  );
}
