"use client";

import { usePathname } from "next/navigation";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { menuIcon } from "@/components/shell/menu-icons";
import { ChevronIcon, GearIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { to } from "@/lib/core/pages";
import { type Menu, type MenuItem, settingsGroups } from "./menu-items";

const MARGIN_PX = 12;

/** Scrolls `scroller` just far enough to make `entry` visible. scrollIntoView would scroll the page as well. */
function reveal(entry: Element, scroller: Element) {
  const inner = entry.getBoundingClientRect();
  const outer = scroller.getBoundingClientRect();
  const below = Math.max(0, inner.bottom + MARGIN_PX - outer.bottom);
  const above = Math.max(0, outer.top + MARGIN_PX - inner.top);
  scroller.scrollTop += below - above;
}

const OVERVIEW: MenuItem = { href: to("settings"), label: "Overview" };

/**
 * The side navigation. It marks the current page, or the entry that the page belongs to. `onStay` is called for a link
 * to the current page.
 */
export function Sidebar({ menu, onStay }: { menu: Menu; onStay?: () => void }) {
  const pathname = usePathname();
  const inSettings = pathname === OVERVIEW.href || pathname.startsWith(`${OVERVIEW.href}/`);
  const [open, setOpen] = useState(inSettings);
  const ids = useId();
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current entry is another one on another page
  useEffect(() => {
    const scroller = nav.current?.parentElement;
    const current = nav.current?.querySelector("[aria-current]");
    if (scroller && current) reveal(current, scroller);
  }, [pathname]);

  // The screens of stays belong to the entry of the shelter.
  const at = pathname.startsWith(to("staysList")) ? to("shelter") : pathname;
  const link = ({ href, label }: MenuItem, icon?: ReactNode) => {
    const here = href === OVERVIEW.href ? pathname === to("lists") : at === href || at.startsWith(`${href}/`);
    return (
      <li key={href}>
        <Link
          href={href}
          className="nav-link"
          aria-current={pathname === href ? "page" : here ? "true" : undefined}
          onClick={pathname === href ? onStay : undefined}
        >
          {icon}
          {label}
        </Link>
      </li>
    );
  };

  return (
    <nav ref={nav} aria-label="Main">
      <ul className="flex flex-col gap-1">
        {menu.main.map((item) => link(item, menuIcon(item.href)))}
        {menu.settings.length > 0 && (
          <li>
            <button
              type="button"
              className="nav-link"
              aria-expanded={open}
              onClick={() => setOpen((now) => !now)}
            >
              <GearIcon />
              Settings
              <span className="ml-auto">
                <ChevronIcon direction={open ? "up" : "down"} />
              </span>
            </button>
            {open && (
              <ul className="mt-1 ml-5 flex flex-col gap-0.5">
                {link(OVERVIEW)}
                {settingsGroups(menu.settings).map(({ group, pages }) => (
                  <li key={group}>
                    <p id={`${ids}-${group}`} className="px-3 pt-3 pb-1 font-medium text-muted text-sm">
                      {group}
                    </p>
                    <ul aria-labelledby={`${ids}-${group}`} className="flex flex-col gap-0.5">
                      {pages.map((page) => link(page))}
                    </ul>
                  </li>
                ))}
              </ul>
            )}
          </li>
        )}
      </ul>
    </nav>
  );
}
