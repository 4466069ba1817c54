"use client";

import { useEffect, useRef } from "react";
import { SettingsGroup } from "@/components/settings/overview";
import { type SettingsItem, settingsGroups } from "@/components/shell/menu-items";
import { Link } from "@/components/ui/link";
import { to } from "@/lib/core/pages";

/** The settings lists alone, for a new organization: those to adapt first, then the others in their groups. */
export function ListsOverview({
  pages,
  first,
  others,
}: {
  pages: readonly SettingsItem[];
  /** The URLs of the lists to adapt first, in this order. */
  first: readonly string[];
  others: readonly string[];
}) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  const firstPages = first.flatMap((href) => pages.filter((page) => page.href === href));
  const otherPages = pages.filter(({ href }) => others.includes(href));
  return (
    <div className="stack">
      <p>
        People choose from these lists on forms. Change, add, and remove entries now or at any time.{" "}
        <Link href={to("settings")} className="link touch-link">
          All settings
        </Link>
      </p>
      {firstPages.length > 0 && (
        <SettingsGroup title="Adapt these first" heading={title} pages={firstPages} />
      )}
      {settingsGroups(otherPages).map(({ group, pages }) => (
        <SettingsGroup key={group} title={group} pages={pages} />
      ))}
    </div>
  );
}
