"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { announce, leave, signOut } from "@/components/shell/session";
import { Button, IconLink } from "@/components/ui/controls";
import { HelpIcon, LogoutIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { useNotify } from "@/components/ui/notifications";
import { messagesOf } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";
import { type Brand, Wordmark } from "./brand";
import { HideScreenButton } from "./hide-screen";
import { Keys } from "./keys";
import type { Menu } from "./menu-items";
import { ThemeToggle } from "./theme-toggle";

/**
 * The header: logo, the user's name as a link to the profile, and Logout. `menuButton` comes before the logo. On a phone
 * the header scrolls away, except the button that hides the screen.
 */
export function Header({
  fullName,
  home,
  brand,
  menu,
  menuButton,
}: {
  fullName: string;
  /** The URL that the logo links to. */
  home: string;
  brand: Brand;
  menu: Menu;
  menuButton: ReactNode;
}) {
  return (
    <>
      <header className="print-hidden top-0 z-30 flex h-14 items-center gap-2 border-line border-b bg-surface pr-14 pl-2 max-sm:relative sm:sticky sm:px-4">
        {menuButton}
        <Link href={home} className="flex min-h-control min-w-8 items-center rounded-md">
          <Wordmark compact brand={brand} />
        </Link>
        <div className="ml-auto flex min-w-0 items-center gap-1">
          <Keys menu={menu} />
          <IconLink
            label="Help (in a new tab)"
            icon={<HelpIcon />}
            href={`${to("help")}?${new URLSearchParams({ at: usePathname() })}`}
            target="_blank"
          />
          <ThemeToggle />
          <Link
            href={to("profile")}
            className="flex min-h-control min-w-0 items-center rounded-md px-2 hover:bg-subtle"
          >
            <span className="truncate">{fullName}</span>
          </Link>
          <LogoutButton />
          <HideScreenButton />
        </div>
      </header>
      {/* On a phone, content scrolls behind this bar, so that the button covers no text. */}
      <div
        aria-hidden="true"
        className="print-hidden sticky top-0 z-20 -mt-14 mb-1 h-13 border-line border-b bg-canvas sm:hidden"
      />
    </>
  );
}

function LogoutButton() {
  const [busy, setBusy] = useState(false);
  const notify = useNotify();

  async function logout() {
    setBusy(true);
    try {
      await signOut();
    } catch (error) {
      notify.error(messagesOf(error));
      return;
    } finally {
      // The user may stay on the page and sign in again.
      setBusy(false);
    }
    // This comes before the message to other tabs. That also reaches this page and would show the login page for an
    // expired session.
    leave(to("login"));
    announce("ended");
  }

  return (
    <Button variant="ghost" icon={<LogoutIcon />} busy={busy} onClick={logout} className="max-sm:px-2">
      <span className="max-sm:sr-only">Logout</span>
    </Button>
  );
}
