"use client";

import { useEffect } from "react";

/**
 * Opens the print dialog once the page is rendered. Put it last, so that components that listen for printing are ready.
 */
export function PrintOnOpen() {
  useEffect(() => {
    // After what is rendered only in the browser (InBrowser).
    const timer = setTimeout(() => window.print());
    return () => clearTimeout(timer);
  }, []);
  return null;
}
