"use client";

import { useState } from "react";
import { setClock } from "@/lib/core/text/clock";

/**
 * Rendered once in the root layout, before everything that shows a day or a time. The first render in the browser counts
 * from the server's time, so that both render the same day.
 */
export function OrganizationClock({ timeZone, serverNow }: { timeZone: string; serverNow: number }) {
  useState(() => setClock(timeZone, serverNow));
  return null;
}
