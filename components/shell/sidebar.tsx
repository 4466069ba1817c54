"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ReactNode, useState } from "react";
import { ChevronIcon, FormIcon, GearIcon, PeopleIcon } from "@/components/ui/icons";
import type { Menu, MenuItem } from "./menu";

const icons: Record<string, ReactNode> = { "/forms": <FormIcon />, "/clients": <PeopleIcon /> };

/** The side navigation; the page one is on, or that it belongs to, is marked as current. */
export function Sidebar({ menu, onNavigate }: { menu: Menu; onNavigate?: () => void }) {
  const pathname = usePathname();
  const inSettings = pathname.startsWith("/settings/");
  const [open, setOpen] = useState(inSettings);

  const link = ({ href, label }: MenuItem) => {
    const here = pathname === href || pathname.startsWith(`${href}/`);
    return (
      <li key={href}>
        <Link
          href={href}
          className="nav-link"
          aria-current={pathname === href ? "page" : here ? "true" : undefined}
          onClick={onNavigate}
        >
          {icons[href]}
          {label}
        </Link>
      </li>
    );
  };

  return (
    <nav aria-label="Main">
      <ul className="flex flex-col gap-1">
        {menu.main.map(link)}
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
            {open && <ul className="mt-1 ml-5 flex flex-col gap-0.5">{menu.settings.map(link)}</ul>}
          </li>
        )}
      </ul>
    </nav>
  );
}
