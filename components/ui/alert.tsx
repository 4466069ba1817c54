"use client";

import { useState } from "react";
import { IconButton } from "./controls";
import { AlertIcon, CloseIcon } from "./icons";

/** Renders each message as a paragraph. */
export function Lines({ messages }: { messages: string[] }) {
  return (
    <div className="min-w-0 flex-1 wrap-anywhere">
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  );
}

/** A dismissible red alert, one line per message; renders nothing without messages. */
export function ErrorAlert({
  messages,
  onDismiss,
}: {
  messages: string | string[] | null | undefined;
  onDismiss?: () => void;
}) {
  const lines = typeof messages === "string" ? [messages] : (messages ?? []);
  const [dismissed, setDismissed] = useState<typeof messages>(null);
  if (lines.length === 0 || dismissed === messages) return null;

  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-lg border border-danger bg-danger-soft py-1.5 pr-1.5 pl-3 text-danger"
    >
      <span className="flex h-8 items-center">
        <AlertIcon />
      </span>
      <div className="flex min-h-8 min-w-0 flex-1 items-center">
        <Lines messages={lines} />
      </div>
      <IconButton
        label="Dismiss"
        icon={<CloseIcon />}
        size="sm"
        onClick={() => {
          setDismissed(messages);
          onDismiss?.();
        }}
      />
    </div>
  );
}
