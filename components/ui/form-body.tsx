"use client";

import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useHydrated } from "@/components/ui/hydrated";
import { PageProgress } from "@/components/ui/link";
import { useSaveWhenOnline } from "@/components/ui/use-save-when-online";

/** Focuses the first field, unless the user is already in one. */
function focusFirst(fields: HTMLFieldSetElement) {
  const first = fields.querySelector<HTMLInputElement>("input, select, textarea");
  if (!first || document.activeElement?.matches("input, select, textarea")) return;
  first.focus({ preventScroll: true });
}

/** A tap that is no scroll sends its click this long after the finger was lifted, at the latest. */
const TAP_MS = 500;

/**
 * Holds the `focusout` of the fields while a pointer is pressed, until its click or the end of the press. A field that
 * loses the focus may show an error, which moves what is below it. If it moved between the two halves of a press, the
 * browser would send no click. The events arrive before the click's own handlers, as without a press.
 * @returns a function that ends it
 */
function holdDuringPress(fields: HTMLFieldSetElement): () => void {
  let isPressed = false;
  let ending: ReturnType<typeof setTimeout> | undefined;
  let held: FocusEvent[] = [];
  const release = () => {
    clearTimeout(ending);
    isPressed = false;
    const events = held;
    held = [];
    for (const { target, relatedTarget } of events)
      if (target !== document.activeElement)
        target?.dispatchEvent(new FocusEvent("focusout", { bubbles: true, relatedTarget }));
  };
  const watching = new AbortController();
  const options = { signal: watching.signal, capture: true };
  fields.addEventListener(
    "focusout",
    (event) => {
      if (!isPressed) return;
      event.stopPropagation();
      held.push(event);
    },
    options,
  );
  window.addEventListener(
    "pointerdown",
    () => {
      release();
      isPressed = true;
    },
    options,
  );
  // A mouse sends its click right after `pointerup`. A finger moves the focus only after it.
  window.addEventListener(
    "pointerup",
    ({ pointerType }) => {
      ending = setTimeout(release, pointerType === "touch" ? TAP_MS : 0);
    },
    options,
  );
  // A press on a scroll bar, or one that opens a list of the browser, has no end.
  for (const type of ["click", "pointercancel", "keydown"]) window.addEventListener(type, release, options);
  return () => {
    watching.abort();
    release();
  };
}

/**
 * The fields of a form. They are disabled while typed text would be lost. That is before the page has its scripts, and
 * while a save runs (`busy`). Afterwards the focus returns to its field. With `begins`, the first field is focused
 * initially. A save that failed offline is repeated once the browser is online.
 */
export function FormBody({
  busy = false,
  frozen = false,
  begins = false,
  children,
}: {
  busy?: boolean;
  /** The values are read-only. */
  frozen?: boolean;
  begins?: boolean;
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  const fields = useRef<HTMLFieldSetElement>(null);
  const focused = useRef<HTMLElement | null>(null);
  useSaveWhenOnline(fields, busy);
  useLayoutEffect(() => {
    // When a field is disabled, its focus moves to the body.
    if (!busy && document.activeElement === document.body) focused.current?.focus({ preventScroll: true });
  }, [busy]);
  useEffect(() => (fields.current ? holdDuringPress(fields.current) : undefined), []);
  useEffect(() => {
    if (hydrated && begins && fields.current) focusFirst(fields.current);
  }, [hydrated, begins]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing to interact with; it only sees which field has the focus
    <fieldset
      ref={fields}
      role="presentation"
      // Fields that are disabled briefly keep their look.
      className={
        frozen ? "contents" : "contents disabled:[&_.control]:bg-surface disabled:[&_.control]:text-ink"
      }
      disabled={!hydrated || busy || frozen}
      onFocus={(event) => {
        focused.current = event.target;
      }}
    >
      {children}
      {busy && <PageProgress />}
    </fieldset>
  );
}

/** A form of a few fields in one line, whose values the screen stores. It cannot be submitted while `busy`. */
export function LineForm({
  busy,
  onSubmit,
  children,
}: {
  busy: boolean;
  onSubmit: () => void;
  children: ReactNode;
}) {
  return (
    <form
      className="flex flex-wrap items-end gap-x-6 gap-y-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit();
      }}
    >
      <FormBody busy={busy}>{children}</FormBody>
    </form>
  );
}

/**
 * Returns true while a call is in progress, and a function that makes one. The fields are enabled again before a
 * failure is handled.
 */
export function useSending() {
  const [sending, setSending] = useState(false);
  const send = async <Result,>(call: () => Promise<Result>): Promise<Result> => {
    setSending(true);
    try {
      return await call();
    } finally {
      flushSync(() => setSending(false));
    }
  };
  return { sending, send };
}
