"use client";

import { useSyncExternalStore } from "react";
import { holdUnsaved, releaseUnsaved } from "@/components/ui/unsaved";
import { randomKey } from "@/lib/core/api/creation";

/** An unsent reply, with the key that keeps a repeated request from adding it twice. */
type Reply = { text: string; key: string };

/** Explains what happens to an unsent reply. */
export const UNSENT_REPLY =
  "Your reply has not been sent. It stays in the reply box until you log out, or close or reload this tab.";

const NONE: Reply = { text: "", key: "" };
/** Unsent replies by form id. They stay in the memory of this tab until a full page load, such as that of Logout. */
const replies = new Map<number, Reply>();
const listeners = new Set<() => void>();
let holder: ReturnType<typeof holdUnsaved> | null = null;

/** Keeps `text` as the unsent reply to a form. "" removes it. */
export function keepReply(formId: number, text: string): void {
  if (text === "") replies.delete(formId);
  else replies.set(formId, { text, key: randomKey() });
  changed();
}

/** Removes a reply that was sent, unless its text was changed meanwhile. */
export function dropReply(formId: number, key: string): void {
  if (replies.get(formId)?.key === key) replies.delete(formId);
  changed();
}

const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();

function changed(): void {
  // Keeps the tab's memory when the session ends on another page. Another page of the program opens without a question.
  if (replies.size > 0) {
    holder ??= Object.assign(holdUnsaved(UNSENT_REPLY), { asks: false });
    window.addEventListener("beforeunload", askBeforeUnload);
  } else if (holder) {
    releaseUnsaved(holder);
    holder = null;
    window.removeEventListener("beforeunload", askBeforeUnload);
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the unsent reply to a form. All boxes of this tab share it. */
export const useUnsentReply = (formId: number): Reply =>
  useSyncExternalStore(
    subscribe,
    () => replies.get(formId) ?? NONE,
    () => NONE,
  );
