"use client";

import { useEffect } from "react";
import { beginning } from "@/components/shell/landing";
import { announce } from "@/components/shell/session";
import { Link } from "@/components/ui/link";
import type { SessionUser } from "@/lib/core/access/permissions";
import { to } from "@/lib/core/pages";
import { returnPath } from "@/lib/identity/return-path";
import type { SignOnPurpose } from "@/lib/identity/sign-on/words";

/**
 * The return from single sign-on: notifies the other tabs and continues to `url`. If a page in another tab waits for
 * proof or is locked, this tab closes.
 */
export function SignedOn({
  purpose,
  url,
  user,
}: {
  purpose: SignOnPurpose;
  url: string | null;
  user: Pick<SessionUser, "permissions">;
}) {
  useEffect(() => {
    announce(purpose === "proof" ? "proved" : "signed-in");
    if (purpose === "sign-in") window.location.replace(returnPath(url) ?? beginning(user));
    else window.close();
  }, [purpose, url, user]);

  if (purpose === "sign-in") return <p role="status">You are signed in. One moment, please.</p>;
  return (
    <>
      <p role="status">Thank you. Please close this tab. Your work is in the tab you came from.</p>
      <Link href={to("login")} className="link touch-link self-start">
        Continue here instead
      </Link>
    </>
  );
}
