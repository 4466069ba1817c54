"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/controls";
import { InfoIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import type { ClientHit } from "@/lib/clients/api-schema";
import { distinguishHit, formsOfHit } from "@/lib/clients/hits";
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
        <div className="rounded-lg border border-line bg-subtle px-3 py-2">
          <p className="flex items-start gap-2 text-sm">
            <span className="pt-0.5 text-accent">
              <InfoIcon />
            </span>
            Already recorded? {onChoose ? "Continue with" : "Open"} one of these clients, or keep typing to
            add a new one.
          </p>
          <ul className="mt-1 divide-y divide-line">
            {clients.map((client) => (
              <li key={client.id} className="flex min-h-control flex-wrap items-center gap-x-3 gap-y-1 py-1">
                <p className="min-w-0 flex-1 wrap-anywhere">
                  {onChoose ? (
                    <span className="font-medium">{client.name}</span>
                  ) : (
                    <Link href={to("clientsShow", { id: client.id })} className="link">
                      {client.name}
                    </Link>
                  )}
                  <span className="block text-muted text-sm">
                    {[formsOfHit(client), distinguishHit(client, clients), client.advocate]
                      .filter(Boolean)
                      .join(" · ")}
                  </span>
                </p>
                {onChoose && (
                  <Button size="sm" onClick={() => onChoose(client)}>
                    <span>
                      Use this client<span className="sr-only">{`: ${client.name}`}</span>
                    </span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
