"use client";

import { useEffect, useState } from "react";
import type { Choices } from "@/components/record/choices";
import { RecordEntryForm } from "@/components/record/record-entry";
import type { Menu } from "@/components/shell/menu-items";
import { ErrorAlert } from "@/components/ui/alert";
import { Button } from "@/components/ui/controls";
import type { Me } from "@/lib/core/access/permissions";
import { call, messagesOf } from "@/lib/core/api/client";
import { capitalize } from "@/lib/core/text/format";
import { namedChoices } from "@/lib/declared-records/choices";
import type { EnteredKey } from "@/lib/records/quick-entry";
import { records } from "@/lib/records/registry";

type Entered = Menu["entered"][number];
type Loaded = { kind: EnteredKey; choices: Choices; user: Me };

/** Reads what the fields of a kind are chosen from, and the user. */
async function load({ kind, lists }: Entered, signal: AbortSignal): Promise<Loaded> {
  const [user, ...read] = await Promise.all([
    call("GET /api/me", { signal }),
    ...lists.map((list) => call(`GET /api/resource_lists/${list}`, { signal })),
  ]);
  const choices = lists.map((list, at) => [list, namedChoices(Object.values(read[at] ?? {})[0])]);
  return { kind, choices: Object.fromEntries(choices), user };
}

/** The quick entry of one of several kinds of records. It reads its choices first, because it opens over any page. */
export default function QuickEntry({
  kind,
  entered,
  onKind,
}: {
  kind: EnteredKey;
  entered: readonly Entered[];
  onKind: (kind: EnteredKey) => void;
}) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [messages, setMessages] = useState<string[]>([]);
  useEffect(() => {
    const asked = new AbortController();
    const one = entered.find((other) => other.kind === kind);
    if (!one) return;
    setMessages([]);
    load(one, asked.signal).then(
      setLoaded,
      (error) => asked.signal.aborted || setMessages(messagesOf(error)),
    );
    return () => asked.abort();
  }, [kind, entered]);
  return (
    <div className="stack">
      {messages.length > 0 ? (
        <ErrorAlert messages={messages} />
      ) : loaded?.kind === kind ? (
        <RecordEntryForm key={kind} list={kind} choices={loaded.choices} user={loaded.user} begins />
      ) : (
        <p role="status">Loading…</p>
      )}
      {entered.length > 1 && (
        <div className="flex flex-wrap gap-2 border-line border-t pt-3">
          {entered.map(({ kind: other }) => (
            <Button key={other} size="sm" aria-pressed={other === kind} onClick={() => onKind(other)}>
              {capitalize(records[other].words.record)}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
