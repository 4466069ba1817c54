"use client";

import { lazy, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { Menu } from "@/components/shell/menu-items";
import { Dialog } from "@/components/ui/dialog";
import { SearchIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { useShortcut } from "@/components/ui/shortcuts";
import type { EnteredKey } from "@/lib/records/quick-entry";
import { onOpenEntry } from "./open-entry";
import { useTypedAhead } from "./typed-ahead";

const loadFinder = () => import("@/components/shell/finder");
const KeyList = lazy(() => import("@/components/shell/key-list"));
const QuickEntry = lazy(() => import("@/components/record/quick-entry"));
const Finder = lazy(loadFinder);

const eitherOf = new Intl.ListFormat("en-US", { type: "disjunction" });

const visible = (selector: string) =>
  [...document.querySelectorAll<HTMLElement>(`#main ${selector}`)].find((found) => found.checkVisibility());

/** The dialogs that shortcuts open. */
export type KeyDialog = "keys" | "finder" | "entry";

/** A button that looks like a field and opens the finder; on a phone, an icon. */
export function FinderButton({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      className="flex min-h-control min-w-control items-center gap-2.5 rounded-lg border border-line bg-canvas px-2.5 text-muted hover:border-control-line max-md:justify-center max-md:border-transparent max-md:bg-transparent max-md:p-0 md:min-w-40 md:max-w-104 md:flex-[1_1_10rem]"
      title="Find or start (Ctrl+K)"
      aria-keyshortcuts="Control+K"
      onPointerEnter={() => void loadFinder()}
      onClick={onOpen}
    >
      <SearchIcon />
      <span className="max-md:sr-only">Find or start</span>
      <span aria-hidden="true" className="ml-auto text-xs max-lg:hidden">
        Ctrl K
      </span>
    </button>
  );
}

/** The keyboard shortcuts of every page, and their dialogs. */
export function Keys({
  menu,
  open,
  onOpen: setOpen,
}: {
  menu: Menu;
  /** The dialog that is open, or null. */
  open: KeyDialog | null;
  onOpen: (dialog: KeyDialog | null) => void;
}) {
  const link = useRef<HTMLAnchorElement>(null);
  const [target, setTarget] = useState("/forms/new");
  const close = () => setOpen(null);
  const [isFinderReady, setFinderReady] = useState(false);
  const typedAhead = useTypedAhead(open === "finder" && !isFinderReady, close);
  const { entered } = menu;
  const [kind, setKind] = useState<EnteredKey>(entered[0]?.kind ?? "contacts");
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
  function openEntry(kind: EnteredKey) {
    setKind(kind);
    setOpen("entry");
  }
  useEffect(() => onOpenEntry(openEntry));
  /** Goes to the quick entry of the page, or opens the one that was open last. */
  function record() {
    const entry = visible("[data-quick-entry] :is(select, input)");
    if (entry) entry.focus();
    else setOpen("entry");
  }
  useShortcut(
    "c",
    `Record ${eitherOf.format(entered.map(({ record }) => record))}`,
    record,
    entered.length > 0,
  );
  useShortcut("Ctrl+S", "Save", () => visible("form button[type=submit]:not(:disabled)")?.click());

  return (
    <>
      <Link ref={link} href={target} hidden tabIndex={-1}>
        Continue
      </Link>
      <Dialog open={open === "keys"} onClose={close} title="Keyboard shortcuts">
        <KeyList />
      </Dialog>
      <Dialog open={open === "finder"} onClose={close} title="Find or start">
        <Finder
          menu={menu}
          typedAhead={typedAhead}
          onReady={setFinderReady}
          onGo={go}
          onKeys={() => setOpen("keys")}
          onEntry={(kind) => go(() => openEntry(kind))}
        />
      </Dialog>
      <Dialog
        open={open === "entry"}
        onClose={close}
        title={entered.find((one) => one.kind === kind)?.title ?? ""}
        wide
      >
        <QuickEntry kind={kind} entered={entered} onKind={setKind} />
      </Dialog>
    </>
  );
}
