"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { LinkButton } from "@/components/ui/controls";
import { readableQuery } from "@/lib/core/api/query";

/** Says that a history goes on, and leads to the events before the event with this id. */
export function OlderEvents({ before }: { before: number }) {
  const pathname = usePathname();
  const params = new URLSearchParams(useSearchParams());
  params.set("before", String(before));
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p>These are not all events.</p>
      <LinkButton href={`${pathname}?${readableQuery(params)}`}>Older events</LinkButton>
    </div>
  );
}
