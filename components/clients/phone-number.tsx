"use client";

import { useState } from "react";
import { Button } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { useAttempt } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";

/** Shows a client's phone number. It is fetched only on request, and the request is audited. */
export function PhoneNumber({ clientId }: { clientId: number }) {
  const notify = useNotify();
  const [number, setNumber] = useState<string | null>(null);
  const { busy, run } = useAttempt(notify.error);

  const show = () =>
    run(async () => {
      const params = { id: clientId };
      await call("POST /api/clients/{id}/revealed", { params });
      const { client } = await call("GET /api/clients/{id}", { params });
      setNumber(client.clientBiographicalEntry?.phoneNumber || "None recorded");
    });

  return (
    <>
      <output className="tabular-nums">{number ?? "(•••) •••-••••"}</output>
      <Button
        size="sm"
        busy={busy}
        onClick={() => (number === null ? void show() : setNumber(null))}
        className="print-hidden"
      >
        {number === null ? "Show phone number" : "Hide"}
      </Button>
    </>
  );
}
