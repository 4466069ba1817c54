import type { ReactNode } from "react";
import { ProofDialog } from "@/components/identity/proof-dialog";
import { SessionGuard } from "@/components/identity/session-guard";
import { landingOf, menuOf } from "@/components/shell/menu";
import type { Menu } from "@/components/shell/menu-items";
import { StaffShell } from "@/components/shell/staff-shell";
import { branding } from "@/lib/core/branding/branding";
import { closedThrough } from "@/lib/forms/periods/closed-periods";
import { requireUser } from "@/lib/identity/page-session";
import { signOnOffer } from "@/lib/identity/sign-on/settings";

/** For users who must set up two-step sign-in first: every entry would lead back to the setup. */
const NOTHING_YET: Menu = { main: [], settings: [], entered: [] };

export default async function StaffLayout({ children }: { children: ReactNode }) {
  const user = await requireUser();
  const signOn = (user.singleSignOn && signOnOffer()?.name) || null;
  const [brand, through] = await Promise.all([branding(), closedThrough()]);
  return (
    <>
      <StaffShell
        fullName={`${user.firstName} ${user.lastName}`}
        home={landingOf(user).href}
        menu={user.twoStepRequired ? NOTHING_YET : menuOf(user)}
        brand={brand}
        closedThrough={through}
      >
        {children}
      </StaffShell>
      <ProofDialog signOn={signOn} />
      <SessionGuard userId={user.userId} email={user.email} signOn={signOn} />
    </>
  );
}
