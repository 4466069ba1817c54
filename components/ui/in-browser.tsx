"use client";

import type { ReactNode } from "react";
import { useHydrated } from "@/components/ui/hydrated";

/**
 * Renders its children, if `isLarge` only in the browser. The server would write a large record twice: as HTML, and as the
 * data from which the browser renders it. That takes it more than half a second.
 */
export function InBrowser({ isLarge, children }: { isLarge: boolean; children: ReactNode }) {
  const isHydrated = useHydrated();
  return isHydrated || !isLarge ? children : <p role="status">Loading…</p>;
}
