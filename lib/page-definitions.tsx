"use client";

import type { ReactNode } from "react";
import { adoptDefinitions, currentDefinitions, type Definitions } from "@/lib/core/fields/definitions";

/** Hands the server's field definitions to the browser, before the page inside renders. */
export function PageDefinitions({
  definitions,
  children,
}: {
  definitions: Definitions;
  children?: ReactNode;
}) {
  // A page from the browser's history may carry older ones. On the server, the process has adopted them.
  if (typeof window !== "undefined" && definitions.version > currentDefinitions().version)
    adoptDefinitions(definitions);
  return children;
}
