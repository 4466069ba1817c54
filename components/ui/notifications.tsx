"use client";

import type { ReactNode } from "react";
import { createContext, useContext, useEffect, useMemo, useState } from "react";
import { messagesOf } from "@/lib/core/api/client";
import { type Act, joined } from "./acts";
import { Lines, removeAlert } from "./alert";
import { Button, IconButton } from "./controls";
import { onFirstClick } from "./first-click";
import { AlertIcon, CheckIcon, CloseIcon, UndoIcon } from "./icons";
import { Link } from "./link";
import { isDialogOpen, useShortcut } from "./shortcuts";

const DISMISS_AFTER_MS = 7000;

type Kind = "success" | "error";
type NoticeLink = { href: string; label: string };
type Notice = {
  id: number;
  messages: string[];
  link?: NoticeLink;
  /** The act that Undo reverses. */
  act?: Act;
  isUndoing?: boolean;
};
/** One notification of each kind at a time. */
type Notices = Record<Kind, Notice | null>;

type Notify = {
  /**
   * Replaces the previous success message. Disappears after 7000 ms, unless hovered or focused. A list is shown as
   * separate lines, followed by the link.
   */
  success: (messages: string | string[], link?: NoticeLink) => void;
  /** Replaces the previous error message. Stays until dismissed. A list is shown as separate lines. */
  error: (messages: string | string[]) => void;
  /** Works like `success`, with Undo. If the previous success is the same kind of act, both are counted together. */
  done: (act: Act) => void;
};

const NotifyContext = createContext<Notify | null>(null);

/**
 * Returns functions that show notifications. The area is rendered in a layout, so that a notification outlives the page
 * that caused it.
 */
export function useNotify(): Notify {
  const notify = useContext(NotifyContext);
  if (!notify) throw new Error("useNotify needs a NotificationsProvider above it");
  return notify;
}

let lastId = 0;

/** Keeps the height of the notifications for what sticks below them (`--below-header`). */
function keepHeight(notices: HTMLElement | null) {
  if (!notices) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() =>
    style.setProperty("--notice-height", `${notices.offsetHeight}px`),
  );
  observer.observe(notices);
  return () => observer.disconnect();
}

/** The area is a line below `header`, or over the end of the sidebar if it is open (`overSidebar`). */
export function NotificationsProvider({
  header,
  overSidebar = false,
  children,
}: {
  header?: ReactNode;
  overSidebar?: boolean;
  children: ReactNode;
}) {
  const [notices, setNotices] = useState<Notices>({ success: null, error: null });
  const notify = useMemo<Notify>(() => {
    const show = (kind: Kind, notice: Omit<Notice, "id">) => {
      lastId += 1;
      const id = lastId;
      setNotices((current) => ({ ...current, [kind]: { ...notice, id } }));
    };
    return {
      success: (messages, link) => show("success", { messages: [messages].flat(), link }),
      error: (messages) => show("error", { messages: [messages].flat() }),
      done(next) {
        lastId += 1;
        const id = lastId;
        setNotices((current) => {
          const { act: before = null, isUndoing } = current.success ?? {};
          const act = joined(isUndoing ? null : before, next);
          return { ...current, success: { id, messages: [act.words(act.records.length)], act } };
        });
      },
    };
  }, []);

  const replace = (kind: Kind, { id }: Notice, next: Notice | null) =>
    setNotices((current) => (current[kind]?.id === id ? { ...current, [kind]: next } : current));
  const toast = (kind: Kind) => {
    const notice = notices[kind];
    return (
      notice && (
        <Toast
          key={notice.id}
          kind={kind}
          notice={notice}
          onDismiss={() => replace(kind, notice, null)}
          onUndoing={(isUndoing) => replace(kind, notice, { ...notice, isUndoing })}
        />
      )
    );
  };

  return (
    <NotifyContext value={notify}>
      {header}
      {/* With attributes, because browsers compute styles below `html:has(…)` again after almost every change of a page. */}
      <section
        aria-label="Notifications"
        className="toasts print-hidden"
        data-over-sidebar={overSidebar || undefined}
        data-shown={notices.success || notices.error ? "" : undefined}
      >
        <div ref={keepHeight}>
          <div aria-live="assertive">{toast("error")}</div>
          <div aria-live="polite">{toast("success")}</div>
        </div>
      </section>
      {children}
    </NotifyContext>
  );
}

const looks = {
  success: { className: "border-success bg-success-soft text-success", icon: <CheckIcon /> },
  error: { className: "border-danger bg-danger-soft text-danger", icon: <AlertIcon /> },
};

function Toast({
  kind,
  notice: { messages, link, act, isUndoing = false },
  onDismiss,
  onUndoing,
}: {
  kind: Kind;
  notice: Notice;
  onDismiss: () => void;
  /** An act that is being undone is not counted together with later ones. */
  onUndoing: (isUndoing: boolean) => void;
}) {
  const notify = useNotify();
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const ticking = kind === "success" && !hovered && !focused && !isUndoing;

  // biome-ignore lint/correctness/useExhaustiveDependencies: onDismiss is new at every render, a restart would never end
  useEffect(() => {
    if (!ticking) return;
    // A dialog covers it, so its time starts again after the dialog is closed.
    const timer = setInterval(() => isDialogOpen() || onDismiss(), DISMISS_AFTER_MS);
    return () => clearInterval(timer);
  }, [ticking]);

  async function undo() {
    if (!act || isUndoing) return;
    onUndoing(true);
    try {
      await act.undo(act.records);
      onDismiss();
    } catch (error) {
      notify.error(messagesOf(error));
      onUndoing(false);
    }
  }
  useShortcut("u", "Undo the last action", () => void undo(), act !== undefined);

  const { className, icon } = looks[kind];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering and focus only hold the timer
    <div
      data-notice={kind}
      className={`toast flex flex-wrap items-start gap-x-2 overflow-y-auto ${className}`}
      // React reports no mouseenter if the mouse comes from a removed element, such as the Save button after a save.
      onMouseOver={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span className="sticky top-0 flex h-8 items-center max-sm:h-control">{icon}</span>
      <div className="flex min-h-8 min-w-0 flex-1 basis-28 items-center max-sm:min-h-control">
        <div className="min-w-0">
          <Lines messages={messages} />
          {link && (
            <Link href={link.href} className="link" onClick={onDismiss}>
              {link.label}
            </Link>
          )}
        </div>
      </div>
      <div className="sticky top-0 ml-auto flex items-center gap-1">
        {act && (
          <Button
            size="sm"
            icon={<UndoIcon />}
            busy={isUndoing}
            title="Undo (u)"
            onClick={onFirstClick(undo)}
          >
            Undo
          </Button>
        )}
        <IconButton
          label="Dismiss"
          icon={<CloseIcon />}
          size="sm"
          onClick={onFirstClick(({ currentTarget }) => removeAlert(currentTarget, onDismiss))}
        />
      </div>
    </div>
  );
}
