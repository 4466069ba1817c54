"use client";

import { usePathname } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PAGES } from "@/lib/core/pages";

// The page with the list of what to set up, from which a step was opened in this tab. It uses the tab's session storage,
// which a browser may refuse: then there is no link.

const KEY = "lanternbook-set-up";

/** Keeps that a step was opened from this page. */
export function keepSetUpPage(): void {
  try {
    sessionStorage.setItem(KEY, location.pathname);
  } catch {
    // The menu leads back too.
  }
}

function keptPage(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The pages that steps lead to. */
const OF_STEPS = /^\/(?:settings|profile|help)(?:\/|$)/;
const subscribe = () => () => {};

/** A link back to the list of what to set up, on the pages that its steps lead to. */
export function BackToSetUp() {
  const pathname = usePathname();
  const from = useSyncExternalStore(subscribe, keptPage, () => null);
  const isAway = !OF_STEPS.test(pathname);
  useEffect(() => {
    if (isAway && from !== null) sessionStorage.removeItem(KEY);
  }, [isAway, from]);
  if (from === null || isAway || pathname === from) return null;
  return (
    <Link href={from} className="link print-hidden mb-2 inline-flex min-h-control items-center gap-1">
      <ChevronIcon direction="left" />
      {`Back to ${PAGES.setUp.title}`}
    </Link>
  );
}
