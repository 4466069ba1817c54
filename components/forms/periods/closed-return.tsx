"use client";

import { useContext } from "react";
import { ClosedThrough } from "@/components/ui/closed-days";
import { LockIcon } from "@/components/ui/icons";
import { isClosed } from "@/lib/forms/periods/closed";
import { closedMessage, RETURNED_AND_CLOSED } from "@/lib/forms/words";

/** Says what can be done about a form that was returned before its month was closed. */
export function ClosedReturn({ serviceOn }: { serviceOn: string }) {
  const through = useContext(ClosedThrough);
  if (through === null || !isClosed(serviceOn, through)) return null;
  return (
    <p className="text-muted text-sm">
      <LockIcon /> {closedMessage(through)}. {RETURNED_AND_CLOSED}
    </p>
  );
}
