"use client";

import { useEffect } from "react";
import { LinkButton } from "@/components/ui/controls";
import { call } from "@/lib/api/client";

/** The link to a record's history. It also records when the page is printed, also from the browser's menu. */
export function RecordTrail({ kind, id }: { kind: "form" | "client"; id: number }) {
  useEffect(() => {
    // If recording fails, printing continues; the server logs the failure.
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
      <LinkButton href={`/${kind}s/${id}/history`}>History</LinkButton>
    </div>
  );
}
