import type { ReactNode } from "react";
import { ProofDialog } from "@/components/accounts/proof-dialog";
import { SessionGuard } from "@/components/accounts/session-guard";
import { landingOf, type Menu, menuOf } from "@/components/shell/menu";
import { StaffShell } from "@/components/shell/staff-shell";
import { requireUser } from "@/lib/auth/page-session";
import { signOnOffer } from "@/lib/auth/sign-on/settings";
import { face } from "@/lib/server/face";

/** Of those who have yet to set up two-step sign-in: every entry would lead there. */
const NOTHING_YET: Menu = { main: [], settings: [] };

export default async function StaffLayout({ children }: { children: ReactNode }) {
  const user = await requireUser();
  const signOn = (user.singleSignOn && signOnOffer()?.name) || null;
  return (
    <>
      <StaffShell
        fullName={`${user.firstName} ${user.lastName}`}
        home={landingOf(user).href}
        menu={user.twoStepRequired ? NOTHING_YET : menuOf(user)}
        brand={face()}
      >
        {children}
      </StaffShell>
      <ProofDialog signOn={signOn} />
      <SessionGuard userId={user.userId} email={user.email} signOn={signOn} />
    </>
  );
}
