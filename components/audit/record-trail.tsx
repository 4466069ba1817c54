"use client";

import { useCallback } from "react";
import { usePrinted } from "@/components/audit/use-printed";
import { LinkButton } from "@/components/ui/controls";
import { call } from "@/lib/core/api/client";

/**
 * A link to a record's history. It also reports when the page is printed, including from the browser's menu. `from` is
 * the query that carries the state of the user's list (`fromQuery` in lib/core/api/back-link.ts).
 */
export function RecordTrail({ kind, id, from = "" }: { kind: "form" | "client"; id: number; from?: string }) {
  const report = useCallback(() => {
    // The user may close the page right after printing.
    const options = { params: { id }, keepalive: true };
    return kind === "form"
      ? call("POST /api/forms/{id}/printed", options)
      : call("POST /api/clients/{id}/printed", options);
  }, [kind, id]);
  usePrinted(report);
  return (
    <div className="print-hidden">
      <LinkButton href={`/${kind}s/${id}/history${from}`}>History</LinkButton>
    </div>
  );
}
