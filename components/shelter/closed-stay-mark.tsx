"use client";

import { useContext } from "react";
import { ClosedMark } from "@/components/forms/periods/closed-mark";
import { ClosedThrough } from "@/components/ui/closed-days";
import { isClosedStay } from "@/lib/shelter/nights";

/** A lock in the row of a stay that ended in a closed month. */
export function ClosedStayMark({ leftOn }: { leftOn: string | null }) {
  return isClosedStay(useContext(ClosedThrough), leftOn) ? <ClosedMark /> : null;
}
