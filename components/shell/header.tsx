"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { announce, leave, signOut } from "@/components/shell/session";
import { Button, IconLink, LinkButton } from "@/components/ui/controls";
import { ChevronIcon, HelpIcon, KeyboardIcon, LogoutIcon, PersonIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Menu as PopupMenu } from "@/components/ui/menu";
import { useNotify } from "@/components/ui/notifications";
import { messagesOf } from "@/lib/core/api/client";
import type { Brand } from "@/lib/core/branding/brand";
import { to } from "@/lib/core/pages";
import { Wordmark } from "./brand";
import { HideScreenButton } from "./hide-screen";
import { FinderButton, type KeyDialog, Keys } from "./keys";
import type { Menu } from "./menu-items";
import { ThemeToggle } from "./theme-toggle";

/**
 * The header: logo, the finder, the user's name as a link to the profile, the account's menu, and Logout. `menuButton` comes
 * before the logo. On a phone the header scrolls away, except the button that hides the screen. With text twice as large it
 * has more lines.
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
  const [open, setOpen] = useState<KeyDialog | null>(null);
  const { busy, logout } = useLogout();
  const help = `${to("help")}?${new URLSearchParams({ at: usePathname() })}`;
  return (
    <>
      <header className="print-hidden top-0 z-30 flex h-14 items-center gap-2 border-line border-b bg-surface pr-14 pl-2 max-sm:relative max-sm:gap-0 max-[20rem]:h-auto max-[20rem]:flex-wrap sm:sticky sm:px-4">
        {/* As wide as the sidebar, so that the finder begins where the page does. */}
        <div className="flex items-center max-sm:gap-0 gap-2 lg:w-64 lg:flex-none">
          {menuButton}
          <Link
            href={home}
            className="flex min-h-control min-w-8 items-center rounded-md max-sm:min-w-11 max-sm:justify-center"
          >
            <Wordmark compact brand={brand} />
          </Link>
        </div>
        <FinderButton onOpen={() => setOpen("finder")} />
        <Keys menu={menu} open={open} onOpen={setOpen} />
        <div className="ml-auto flex min-w-0 items-center gap-1">
          <IconLink
            label="Help (in a new tab)"
            className="max-sm:hidden"
            icon={<HelpIcon />}
            href={help}
            target="_blank"
          />
          <Link
            href={to("profile")}
            className="flex min-h-control min-w-0 items-center rounded-md px-2 hover:bg-subtle max-sm:pr-0"
          >
            <span className="truncate">{fullName}</span>
          </Link>
          <PopupMenu
            label="Account"
            aria-label="Account menu"
            data-icon-only=""
            icon={<ChevronIcon direction="down" />}
            content={
              <>
                <LinkButton variant="ghost" icon={<PersonIcon />} href={to("profile")}>
                  Profile
                </LinkButton>
                <ThemeToggle />
                <Button variant="ghost" icon={<KeyboardIcon />} onClick={() => setOpen("keys")}>
                  Keyboard shortcuts
                </Button>
                <LinkButton
                  variant="ghost"
                  className="sm:hidden"
                  icon={<HelpIcon />}
                  href={help}
                  target="_blank"
                >
                  Help (in a new tab)
                </LinkButton>
                <Button variant="ghost" icon={<LogoutIcon />} onClick={logout}>
                  Logout
                </Button>
              </>
            }
          />
          <Button
            variant="ghost"
            icon={<LogoutIcon />}
            busy={busy}
            onClick={logout}
            className="max-sm:min-w-11 max-sm:px-2"
          >
            <span className="max-sm:sr-only">Logout</span>
          </Button>
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

/** Returns a function that ends the session and leads to the login page, and true while it is in progress. */
function useLogout() {
  const [busy, setBusy] = useState(false);
  const notify = useNotify();

  async function logout() {
    if (busy) return;
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

  return { busy, logout };
}
