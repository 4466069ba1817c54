"use client";

import { Button } from "./controls";
import { PrintIcon } from "./icons";

/** Prints the current page. */
export function PrintButton() {
  return (
    <Button icon={<PrintIcon />} onClick={() => window.print()}>
      Print
    </Button>
  );
}
