"use client";

import { useState } from "react";
import { HoldDialog } from "@/components/retention/hold-dialog";
import { Button } from "@/components/ui/controls";
import { Section } from "@/components/ui/section";
import type { Hold } from "@/lib/clients/hold-schema";
import { date } from "@/lib/core/text/format";

/**
 * Shows the client's legal hold and its reason. A hold prevents the client and their forms from being removed or
 * purged.
 */
export function LegalHold({ clientId, hold }: { clientId: number; hold: Hold | null }) {
  const [open, setOpen] = useState(false);
  return (
    <Section
      title="Legal hold"
      actions={
        <Button size="sm" className="print-hidden" onClick={() => setOpen(true)}>
          {hold ? "Lift hold" : "Place hold"}
        </Button>
      }
    >
      {hold ? (
        <p className="wrap-anywhere">{`${hold.reason} (${[hold.by, date(hold.at)].filter(Boolean).join(", ")})`}</p>
      ) : (
        <p className="text-muted">No legal hold. The client can be purged when due.</p>
      )}
      <HoldDialog
        key={String(hold === null)}
        id={clientId}
        name={`client ${clientId}`}
        isHeld={hold !== null}
        open={open}
        onClose={() => setOpen(false)}
      />
    </Section>
  );
}
