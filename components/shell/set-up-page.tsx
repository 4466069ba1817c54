"use client";

import { usePathname } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { PAGES } from "@/lib/core/pages";

// The page with the list of what to set up, from which a step was opened in this tab. It uses the tab's session storage,
// which a browser may refuse: then there is no link.

const KEY = "lanternbook-set-up";
const STEP_KEY = "lanternbook-set-up-step";

const pathOf = (href: string): string => new URL(href, location.origin).pathname;

/** Keeps that the page of a step was opened from this page. */
export function keepSetUpPage(step: string): void {
  try {
    sessionStorage.setItem(KEY, location.pathname);
    sessionStorage.setItem(STEP_KEY, pathOf(step));
  } catch {
    // The menu leads back too.
  }
}

function kept(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

const keptPage = () => kept(KEY);
const keptStep = () => kept(STEP_KEY);

/** The pages that steps lead to. */
const OF_STEPS = /^\/(?:settings|profile|help)(?:\/|$)/;
const subscribe = () => () => {};

/**
 * Returns the URL to which the page leads after its save: the list of what to set up if this page is the step that was
 * opened from it, otherwise `back`.
 */
export function useBackOfStep<Back extends string | null>(back: Back): string | Back {
  const pathname = usePathname();
  const from = useSyncExternalStore(subscribe, keptPage, () => null);
  const step = useSyncExternalStore(subscribe, keptStep, () => null);
  return from !== null && step === pathname ? from : back;
}

/** A link back to the list of what to set up, on the pages that its steps lead to. */
export function BackToSetUp() {
  const pathname = usePathname();
  const from = useSyncExternalStore(subscribe, keptPage, () => null);
  const isAway = !OF_STEPS.test(pathname);
  useEffect(() => {
    if (isAway && from !== null) {
      sessionStorage.removeItem(KEY);
      sessionStorage.removeItem(STEP_KEY);
    }
  }, [isAway, from]);
  if (from === null || isAway || pathname === from) return null;
  return (
    <Link href={from} className="link print-hidden mb-2 inline-flex min-h-control items-center gap-1">
      <ChevronIcon direction="left" />
      {`Back to ${PAGES.setUp.title}`}
    </Link>
  );
}
