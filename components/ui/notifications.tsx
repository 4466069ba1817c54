"use client";

import type { ReactNode } from "react";
import { createContext, useContext, useEffect, useMemo, useState } from "react";
import { Lines } from "./alert";
import { IconButton } from "./controls";
import { AlertIcon, CheckIcon, CloseIcon } from "./icons";

const DISMISS_AFTER_MS = 7000;

type Notice = { id: number; kind: "success" | "error"; messages: string[] };

type Notify = {
  /** Disappears after 7000 ms (spec §9), unless hovered or focused. A list is shown as separate lines. */
  success: (messages: string | string[]) => void;
  /** Stays until dismissed. A list is shown as separate lines. */
  error: (messages: string | string[]) => void;
  clear: () => void;
};

const NotifyContext = createContext<Notify | null>(null);

/** The notification area; rendered in a layout, so that a notice outlives the page that caused it. */
export function useNotify(): Notify {
  const notify = useContext(NotifyContext);
  if (!notify) throw new Error("useNotify needs a NotificationsProvider above it");
  return notify;
}

let lastId = 0;

export function NotificationsProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<Notice[]>([]);
  const notify = useMemo<Notify>(() => {
    const add = (kind: Notice["kind"], messages: string | string[]) => {
      lastId += 1;
      const notice = { id: lastId, kind, messages: [messages].flat() };
      setNotices((current) => [...current, notice]);
    };
    return {
      success: (messages) => add("success", messages),
      error: (messages) => add("error", messages),
      clear: () => setNotices([]),
    };
  }, []);

  const dismiss = (id: number) => setNotices((current) => current.filter((notice) => notice.id !== id));
  const list = (kind: Notice["kind"]) =>
    notices
      .filter((notice) => notice.kind === kind)
      .map((notice) => <Toast key={notice.id} notice={notice} onDismiss={() => dismiss(notice.id)} />);

  return (
    <NotifyContext value={notify}>
      {children}
      {/* Above the save bar and beside the row actions, so that it covers neither. */}
      <section
        aria-label="Notifications"
        className="print-hidden pointer-events-none fixed inset-x-4 bottom-20 z-60 mx-auto flex flex-col gap-2 sm:w-96"
      >
        <div aria-live="assertive" className="flex flex-col gap-2">
          {list("error")}
        </div>
        <div aria-live="polite" className="flex flex-col gap-2">
          {list("success")}
        </div>
      </section>
    </NotifyContext>
  );
}

const looks = {
  success: { className: "border-success bg-success-soft text-success", icon: <CheckIcon /> },
  error: { className: "border-danger bg-danger-soft text-danger", icon: <AlertIcon /> },
};

function Toast({ notice, onDismiss }: { notice: Notice; onDismiss: () => void }) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const ticking = notice.kind === "success" && !hovered && !focused;

  // biome-ignore lint/correctness/useExhaustiveDependencies: onDismiss is new at every render, a restart would never end
  useEffect(() => {
    if (!ticking) return;
    const timer = setTimeout(onDismiss, DISMISS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [ticking]);

  const { className, icon } = looks[notice.kind];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering and focus only hold the timer
    <div
      className={`pointer-events-auto flex items-center gap-3 rounded-lg border py-1.5 pr-1.5 pl-3 shadow-lg ${className}`}
      // React reports no mouseenter when the mouse comes from an element that is gone, as the Save button after a save.
      onMouseOver={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      {icon}
      <Lines messages={notice.messages} />
      <IconButton label="Dismiss" icon={<CloseIcon />} size="sm" onClick={onDismiss} />
    </div>
  );
}
