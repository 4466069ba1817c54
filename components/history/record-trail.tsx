"use client";

import { useEffect } from "react";
import { LinkButton } from "@/components/ui/controls";
import { call } from "@/lib/api/client";

/** Leads to a record's history, and has it recorded when the page is printed, by whatever way. */
export function RecordTrail({ kind, id }: { kind: "form" | "client"; id: number }) {
  useEffect(() => {
    // Printing goes on where it cannot be recorded; the server says so in its log.
    const note = () => {
      const sent = { params: { id } };
      void (
        kind === "form"
          ? call("POST /api/forms/{id}/printed", sent)
          : call("POST /api/clients/{id}/printed", sent)
      ).catch(() => {});
    };
    window.addEventListener("beforeprint", note);
    return () => window.removeEventListener("beforeprint", note);
  }, [kind, id]);
  return (
    <div className="print-hidden">
      <LinkButton href={`/${kind}s/${id}/history`} prefetch={false}>
        History
      </LinkButton>
    </div>
  );
}
