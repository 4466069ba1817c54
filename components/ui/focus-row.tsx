"use client";

import { useEffect } from "react";

/**
 * Focuses the first link of the table row that the URL names, as `#row-3`. If the list now has fewer rows, focuses the
 * last one. The focus is visible for mouse users too, who would otherwise not see the row.
 */
export function FocusRow() {
  useEffect(() => {
    const [, row] = /^#row-(\d+)$/.exec(window.location.hash) ?? [];
    if (row === undefined) return;
    const rows = document.querySelectorAll("tbody tr");
    rows[Math.min(Number(row), rows.length - 1)]?.querySelector("a")?.focus({ focusVisible: true });
  }, []);
  return null;
}
