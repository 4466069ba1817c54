"use client";

import { type RefObject, useState } from "react";
import { type SettingsItem, settingsGroups } from "@/components/shell/menu-items";
import { SearchBox } from "@/components/ui/controls";
import { Link } from "@/components/ui/link";
import { permissionWords } from "@/lib/lookups/permission-words";

const wordsOf = ({ words, permission }: SettingsItem) => words ?? permissionWords(permission);

const fits = (page: SettingsItem, text: string) =>
  `${page.label} ${wordsOf(page)} ${page.group}`.toLowerCase().includes(text.trim().toLowerCase());

/** Links to settings pages, with one line on each. */
export function SettingsGroup({
  title,
  heading,
  pages,
}: {
  title: string;
  /** The heading, for a page that focuses it. */
  heading?: RefObject<HTMLHeadingElement | null>;
  pages: readonly SettingsItem[];
}) {
  return (
    <section className="card p-4" aria-label={title}>
      <h2 ref={heading} tabIndex={heading && -1} className="mb-2 font-semibold text-lg outline-none">
        {title}
      </h2>
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
  );
}

/** All settings pages the user may open, in groups, with a search. */
export function SettingsOverview({ pages }: { pages: readonly SettingsItem[] }) {
  const [text, setText] = useState("");
  const matches = pages.filter((page) => fits(page, text));
  return (
    <div className="stack">
      <SearchBox label="Search settings" value={text} onChange={(event) => setText(event.target.value)} />
      {settingsGroups(matches).map(({ group, pages }) => (
        <SettingsGroup key={group} title={group} pages={pages} />
      ))}
      <p role="status" className="text-muted empty:hidden">
        {matches.length === 0 && "No matching settings."}
      </p>
    </div>
  );
}
