"use client";

import { useState } from "react";
import { type SettingsItem, settingsGroups } from "@/components/shell/menu-items";
import { Link } from "@/components/ui/link";
import { permissionWords } from "@/lib/lookups/permission-words";

const wordsOf = ({ words, permission }: SettingsItem) => words ?? permissionWords(permission);

const fits = (page: SettingsItem, text: string) =>
  `${page.label} ${wordsOf(page)} ${page.group}`.toLowerCase().includes(text.trim().toLowerCase());

/** All settings pages the user may open, in groups, with a search. */
export function SettingsOverview({ pages }: { pages: readonly SettingsItem[] }) {
  const [text, setText] = useState("");
  const matches = pages.filter((page) => fits(page, text));
  return (
    <div className="stack">
      <input
        type="search"
        aria-label="Search settings"
        placeholder="Search settings"
        autoComplete="off"
        className="control sm:max-w-80"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {settingsGroups(matches).map(({ group, pages }) => (
        <section key={group} className="card p-4" aria-label={group}>
          <h2 className="mb-2 font-semibold text-lg">{group}</h2>
          <ul className="link-list grid gap-x-6 gap-y-3 max-sm:gap-y-1 sm:grid-cols-2 lg:grid-cols-3">
            {pages.map((page) => (
              <li key={page.href}>
                <Link href={page.href} className="link font-medium">
                  {page.label}
                </Link>
                <p className="text-muted text-sm">{wordsOf(page)}</p>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p role="status" className="text-muted empty:hidden">
        {matches.length === 0 && "No matching settings."}
      </p>
    </div>
  );
}
