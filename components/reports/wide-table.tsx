"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** A card with a table that may be wider than the screen. It begins scrolled to its end, where the newest columns are. */
export function WideTable({ label, children }: { label: string; children: ReactNode }) {
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (card.current) card.current.scrollLeft = card.current.scrollWidth;
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard
    <section ref={card} className="card overflow-x-auto" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
