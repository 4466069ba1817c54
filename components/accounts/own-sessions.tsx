"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/controls";
import { useNotify } from "@/components/ui/notifications";
import { Section } from "@/components/ui/section";
import { call, messagesOf } from "@/lib/api/client";

/** A session as shown on the page; `lastSeen` is formatted in the organisation's time zone. */
export type SessionRow = { id: string; device: string; lastSeen: string; current: boolean };

/** The user's sessions, with a button to end all others. */
export function OwnSessions({ sessions }: { sessions: SessionRow[] }) {
  const router = useRouter();
  const notify = useNotify();
  const [ending, setEnding] = useState<string | null>(null);
  const others = sessions.filter(({ current }) => !current);

  async function end(what: string, ended: () => Promise<void>, message: string) {
    setEnding(what);
    try {
      await ended();
      notify.success(message);
      router.refresh();
    } catch (error) {
      notify.error(messagesOf(error));
    } finally {
      setEnding(null);
    }
  }

  return (
    <Section
      title="Where you are signed in"
      actions={
        others.length > 1 && (
          <Button
            size="sm"
            busy={ending === "all"}
            onClick={() => end("all", () => call("DELETE /api/sessions"), "Signed out all other sessions")}
          >
            Sign out all others
          </Button>
        )
      }
    >
      <ul className="divide-y divide-line">
        {sessions.map(({ id, device, lastSeen, current }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0"
          >
            <div>
              <p className="font-medium">{device}</p>
              <p className="text-muted text-sm">{current ? "This session" : `Last seen ${lastSeen}`}</p>
            </div>
            {!current && (
              <Button
                size="sm"
                busy={ending === id}
                aria-label={`Sign out ${device}, last seen ${lastSeen}`}
                onClick={() =>
                  end(
                    id,
                    () => call("DELETE /api/sessions/{id}", { params: { id } }),
                    "Signed out that session",
                  )
                }
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
