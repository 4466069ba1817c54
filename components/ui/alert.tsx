"use client";

import { useState } from "react";
import { flushSync } from "react-dom";
import { IconButton } from "./controls";
import { AlertIcon, CloseIcon } from "./icons";

/**
 * Removes the alert with the pressed button. Then the focus of a keyboard moves to the next control, or else to the one
 * before. That of a mouse or a finger does not, because a phone opens its keyboard for a field.
 */
export function removeAlert(pressed: HTMLElement, remove: () => void): void {
  const isByKeyboard = pressed.matches(":focus-visible");
  const controls = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea")];
  const before = controls.splice(0, controls.indexOf(pressed)).reverse();
  flushSync(remove);
  if (!isByKeyboard) return;
  const canHaveFocus = (control: HTMLElement) =>
    control.checkVisibility() && control.tabIndex >= 0 && !control.matches(":disabled");
  [...controls, ...before].find(canHaveFocus)?.focus();
}

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
        onClick={({ currentTarget }) =>
          removeAlert(currentTarget, () => {
            setDismissed(messages);
            onDismiss?.();
          })
        }
      />
    </div>
  );
}
