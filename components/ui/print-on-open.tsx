"use client";

import { useEffect } from "react";

/**
 * Opens the print dialog once the page is rendered. Put it last, so that components that listen for printing are ready.
 */
export function PrintOnOpen() {
  useEffect(() => window.print(), []);
  return null;
}
