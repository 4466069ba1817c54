"use client";

import { useEffect } from "react";

/** Opens the print dialog once the page is there. Put it last, so that what listens to printing is listening. */
export function PrintOnOpen() {
  useEffect(() => window.print(), []);
  return null;
}
