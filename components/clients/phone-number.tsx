"use client";

import { useState } from "react";
import { type Badge, StatusBadge } from "@/components/ui/badge";
import { Button } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { useAttempt } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { MASKED_NUMBER } from "@/lib/core/fields/phone";

const SAFE: Badge = {
  status_code: "success",
  status_title: "Phone",
  description: "It is safe to call this client",
  display_status: "Safe to call",
};
const NOT_MARKED_SAFE: Badge = {
  status_code: "danger",
  status_title: "Phone",
  description: "No one has recorded that it is safe to call this client",
  display_status: "Not marked safe to call",
};

/** Says if it is safe to call the client. It is next to each phone number. */
export const PhoneBadge = ({ safeToCall }: { safeToCall: boolean }) => (
  <StatusBadge badge={safeToCall ? SAFE : NOT_MARKED_SAFE} />
);

/** Records that phone numbers of these clients are shown. Rejects if a client cannot be seen. */
export const recordRevealed = (clientIds: readonly number[]): Promise<unknown> =>
  Promise.all(clientIds.map((id) => call("POST /api/clients/{id}/revealed", { params: { id } })));

/**
 * A client's phone number with its badge. The number is fetched only on request, and the request is audited. A print has
 * the number only while it is shown.
 */
export function PhoneNumber({ clientId, safeToCall }: { clientId: number; safeToCall: boolean }) {
  const notify = useNotify();
  const [number, setNumber] = useState<string | null>(null);
  const { busy, run } = useAttempt(notify.error);

  const show = () =>
    run(async () => {
      await recordRevealed([clientId]);
      const { client } = await call("GET /api/clients/{id}", { params: { id: clientId } });
      setNumber(client.clientBiographicalEntry?.phoneNumber || "None recorded");
    });

  return (
    <span className="inline-flex flex-wrap items-center gap-2 [&_.badge]:whitespace-normal">
      <PhoneBadge safeToCall={safeToCall} />
      <output className={`tabular-nums ${number === null ? "print-hidden" : ""}`}>
        {number ?? MASKED_NUMBER}
      </output>
      {number === null && (
        <span className="print-only">{safeToCall ? "Number not shown" : "Do not call"}</span>
      )}
      <Button
        size="sm"
        busy={busy}
        onClick={() => (number === null ? void show() : setNumber(null))}
        className="print-hidden"
      >
        {number === null ? "Show phone number" : "Hide"}
      </Button>
    </span>
  );
}
