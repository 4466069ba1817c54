"use client";

import { lazy, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Menu } from "@/components/shell/menu-items";
import { IconButton } from "@/components/ui/controls";
import { Dialog } from "@/components/ui/dialog";
import { SearchIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { useShortcut } from "@/components/ui/shortcuts";
import { useTypedAhead } from "./typed-ahead";

const loadFinder = () => import("@/components/shell/finder");
const KeyList = lazy(() => import("@/components/shell/key-list"));
const QuickEntry = lazy(() => import("@/components/contacts/quick-entry-dialog"));
const Finder = lazy(loadFinder);

const visible = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(`#main ${selector}`)].find((found) => found.checkVisibility());

/** The keyboard shortcuts of every page, and a button that opens the finder. */
export function Keys({ menu }: { menu: Menu }) {
  const link = useRef<HTMLAnchorElement>(null);
  const [target, setTarget] = useState("/forms/new");
  const [open, setOpen] = useState<"keys" | "finder" | "contact" | null>(null);
  const close = () => setOpen(null);
  const [isFinderReady, setFinderReady] = useState(false);
  const typedAhead = useTypedAhead(open === "finder" && !isFinderReady, close);
  const recordsContacts = menu.main.some(({ href }) => href === "/contacts");
  const makesForms = menu.main.some(({ href }) => href === "/forms");

  /** Clicks a link, so that the guard for unsaved changes runs first. */
  function follow(href: string) {
    flushSync(() => setTarget(href));
    link.current?.click();
  }

  function go(where: string | (() => void)) {
    flushSync(close);
    // Runs after the dialog has returned the focus, which it does in its own timeout.
    setTimeout(() => (typeof where === "string" ? follow(where) : where()));
  }

  useShortcut("?", "Show these keys", () => setOpen("keys"));
  useShortcut("Ctrl+K", "Search for a client, a form by number, a setting, or an action", () =>
    setOpen("finder"),
  );
  useShortcut("/", "Search this list", () => visible("input[type=search]")?.focus());
  useShortcut("n", "New", () => {
    const newLink = visible("a[data-new]");
    if (newLink) newLink.click();
    else if (makesForms) follow("/forms/new");
  });
  /** Goes to the quick entry of the page, or opens one. */
  function recordContact() {
    const entry = visible("[data-quick-entry] select");
    if (entry) entry.focus();
    else setOpen("contact");
  }
  useShortcut("c", "Record a contact", recordContact, recordsContacts);
  useShortcut("Ctrl+S", "Save", () => visible("form button[type=submit]:not(:disabled)")?.click());

  return (
    <>
      <IconButton
        label="Search (Ctrl+K)"
        icon={<SearchIcon />}
        onPointerEnter={() => void loadFinder()}
        onClick={() => setOpen("finder")}
      />
      <Link ref={link} href={target} hidden tabIndex={-1}>
        Continue
      </Link>
      <Dialog open={open === "keys"} onClose={close} title="Keyboard shortcuts">
        <KeyList />
      </Dialog>
      <Dialog open={open === "finder"} onClose={close} title="Search">
        <Finder
          menu={menu}
          typedAhead={typedAhead}
          onReady={setFinderReady}
          onGo={go}
          onKeys={() => setOpen("keys")}
          onContact={() => go(recordContact)}
        />
      </Dialog>
      <Dialog open={open === "contact"} onClose={close} title="Record a contact" wide>
        <QuickEntry />
      </Dialog>
    </>
  );
}
