"use client";

import { Button } from "./controls";
import { PrintIcon } from "./icons";

/** Prints the page that one is on. */
export function PrintButton() {
  return (
    <Button icon={<PrintIcon />} onClick={() => window.print()}>
      Print
    </Button>
  );
}
