"use client";

import { useEffect, useState } from "react";
import { Button, LinkButton } from "@/components/ui/controls";
import { InfoIcon } from "@/components/ui/icons";
import type { ClientHit } from "@/lib/clients/api-schema";
import { distinguishHit } from "@/lib/clients/hits";
import { call } from "@/lib/core/api/client";
import { to } from "@/lib/core/pages";

const DEBOUNCE_MS = 400;
const LEAST_LETTERS = 2;

/**
 * Shows clients with a name similar to that of a new client, to prevent a second record of the same person. Without
 * `onChoose`, they are links to the clients' pages.
 */
export function SimilarClients({
  typed,
  onChoose,
}: {
  /** The name of the new client as typed. */
  typed: string;
  onChoose?: (client: ClientHit) => void;
}) {
  const name = typed.trim();
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
            Already recorded? {onChoose ? "Continue with" : "Open"} one of these clients, or keep typing to
            add a new one.
          </p>
          <ul className="flex flex-col gap-1">
            {clients.map((client) => (
              <li key={client.id}>
                {onChoose ? (
                  <Button size="sm" onClick={() => onChoose(client)}>
                    <Hit client={client} among={clients} />
                  </Button>
                ) : (
                  <LinkButton size="sm" href={to("clientsShow", { id: client.id })}>
                    <Hit client={client} among={clients} />
                  </LinkButton>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Hit({ client, among }: { client: ClientHit; among: ClientHit[] }) {
  return (
    <>
      {client.name}
      <span className="font-normal text-muted">
        {" – "}
        {[distinguishHit(client, among), client.advocate].filter(Boolean).join(" · ")}
      </span>
    </>
  );
}
