"use client";

import { ActionButton } from "@/components/ui/action-button";
import { Section } from "@/components/ui/section";
import { call } from "@/lib/core/api/client";

/** A session as shown on the page; `lastSeen` is formatted in the organization's time zone. */
type SessionRow = { id: string; device: string; lastSeen: string; current: boolean };

/** The user's sessions, with a button to end all others. */
export function OpenSessions({ sessions }: { sessions: SessionRow[] }) {
  const others = sessions.filter(({ current }) => !current);
  return (
    <Section
      title="Where you are signed in"
      actions={
        others.length > 1 && (
          <ActionButton action={() => call("DELETE /api/sessions")} done="Signed out of all other sessions">
            Sign out all others
          </ActionButton>
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
              <ActionButton
                label={`Sign out ${device}, last seen ${lastSeen}`}
                action={() => call("DELETE /api/sessions/{id}", { params: { id } })}
                done="Signed out of that session"
              >
                Sign out
              </ActionButton>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
