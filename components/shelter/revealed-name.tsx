"use client";

import { useState } from "react";
import { Button } from "@/components/ui/controls";
import { Link } from "@/components/ui/link";
import { useNotify } from "@/components/ui/notifications";
import { useAttempt } from "@/components/ui/use-failure";
import type { NamedItem } from "@/lib/core/access/permissions";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";

/** Shows a client's initials. The name is fetched only on request, and the request is audited. */
export function RevealedName({
  stayId,
  initials,
  opensClients,
}: {
  stayId: number;
  initials: string;
  /** True if the user may open the client's page. */
  opensClients: boolean;
}) {
  const notify = useNotify();
  const [client, setClient] = useState<NamedItem | null>(null);
  const { busy, run } = useAttempt(notify.error);
  const show = () =>
    run(async () => {
      const { client } = await call("POST /api/stays/{id}/revealed", { params: { id: stayId } });
      setClient(client);
    });
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      <output className="min-w-10">
        {client && opensClients ? (
          <Link href={to("clientsShow", { id: client.id })} className="link touch-link">
            {client.name}
          </Link>
        ) : (
          (client?.name ?? initials)
        )}
      </output>
      <Button
        size="sm"
        variant="ghost"
        busy={busy}
        className="print-hidden font-normal"
        aria-label={`${client ? "Hide name" : "Show name"} of ${initials}`}
        onClick={() => (client ? setClient(null) : void show())}
      >
        {client ? "Hide name" : "Show name"}
      </Button>
    </span>
  );
}
