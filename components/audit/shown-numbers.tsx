"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { PhoneBadge } from "@/components/clients/phone-number";
import { Button } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { useAttempt } from "@/components/ui/use-failure";
import { call } from "@/lib/core/api/client";
import { MASKED_NUMBER } from "@/lib/core/fields/phone";

/** The phone numbers that each event tells, in order, by the event's id; null until they are requested. */
const Numbers = createContext<ReadonlyMap<number, readonly string[]> | null>(null);

/** Phone numbers of a client whose history is shown. */
export type ClientNumbers = { clientId: number; safeToCall: boolean; before: number | null; views: boolean };

/** A page of a client's history, whose phone numbers are fetched only on request. One request shows all of them. */
export function ShownNumbers({
  clientId,
  safeToCall,
  before,
  views,
  field,
  children,
}: ClientNumbers & { field: string; children: ReactNode }) {
  const [numbers, setNumbers] = useState<ReadonlyMap<number, readonly string[]> | null>(null);
  const { busy, run } = useAttempt(useNotify().error);

  const show = () =>
    run(async () => {
      const query = {
        ...(before !== null && { before }),
        numbers: true,
        "filters[views]": views,
      };
      const { events } = await call("GET /api/clients/{id}/history", { params: { id: clientId }, query });
      const texts = events.map(({ id, changes }): [number, string[]] => [
        id,
        changes.flatMap((change) =>
          change.field === field ? [change.fromText, change.toText].flatMap((text) => text || []) : [],
        ),
      ]);
      setNumbers(new Map(texts));
    });

  return (
    <Numbers value={numbers}>
      <p className="flex flex-wrap items-center gap-2">
        Phone number
        <PhoneBadge safeToCall={safeToCall} />
        {!numbers && !safeToCall && <span className="print-only">Do not call</span>}
        <Button
          size="sm"
          busy={busy}
          className="print-hidden"
          onClick={() => (numbers ? setNumbers(null) : void show())}
        >
          {numbers ? "Hide" : "Show phone numbers"}
        </Button>
      </p>
      {children}
    </Numbers>
  );
}

/** A sentence of an event with the mask in place of each phone number, or with the numbers once they are requested. */
export function NumberSentence({ eventId, masked }: { eventId: number; masked: string }) {
  const texts = [...(useContext(Numbers)?.get(eventId) ?? [])];
  return masked
    .split(MASKED_NUMBER)
    .flatMap((part, at) => (at === 0 ? [part] : [texts.shift() ?? MASKED_NUMBER, part]));
}
