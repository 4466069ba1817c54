"use client";

import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import type { FormValues } from "@/components/forms/values";
import { Button } from "@/components/ui/controls";
import { InfoIcon } from "@/components/ui/icons";
import type { ClientHit } from "@/lib/clients/api-schema";
import { distinguishHit } from "@/lib/clients/hits";
import { call } from "@/lib/core/api/client";

const DEBOUNCE_MS = 400;
const LEAST_LETTERS = 3;

/** Shows clients with a name similar to the typed one, to prevent a second record of the same person. */
export function SimilarClients({ onChoose }: { onChoose: (client: ClientHit) => void }) {
  const name = useWatch<FormValues, "client.name">({ name: "client.name" }).trim();
  const [results, setResults] = useState<{ name: string; clients: ClientHit[] }>({ name: "", clients: [] });

  useEffect(() => {
    if (name.length < LEAST_LETTERS) return;
    const ask = new AbortController();
    const timer = setTimeout(() => {
      // A failure is ignored: this is only a hint.
      call("POST /api/clients/similar", { body: { name }, signal: ask.signal }).then(
        ({ clients }) => setResults({ name, clients }),
        () => {},
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      ask.abort();
    };
  }, [name]);

  const clients = name.length < LEAST_LETTERS ? [] : results.clients;
  return (
    // Takes no gap in the stack while empty, but stays in the DOM so that changes are announced.
    <div role="status" className="empty:-mt-4">
      {clients.length > 0 && (
        <div className="stack rounded-lg border border-line bg-subtle p-3">
          <p className="flex items-center gap-2 font-medium">
            <span className="text-accent">
              <InfoIcon />
            </span>
            Already recorded? Continue with one of these clients, or keep typing to add a new one.
          </p>
          <ul className="flex flex-col gap-1">
            {clients.map((client) => (
              <li key={client.id}>
                <Button size="sm" onClick={() => onChoose(client)}>
                  {client.name}
                  <span className="font-normal text-muted">
                    {" – "}
                    {[distinguishHit(client, clients), client.advocate].filter(Boolean).join(" · ")}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
