"use client";

import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useHydrated } from "@/components/ui/hydrated";
import { PageProgress } from "@/components/ui/link";
import { useSaveWhenOnline } from "@/components/ui/use-save-when-online";

/** Focuses the field with this id, otherwise the first one, unless the user is already in a field. */
function focusFirst(fields: HTMLFieldSetElement, id: string | true) {
  const named = id === true ? "" : `#${CSS.escape(id)}`;
  const first = fields.querySelector<HTMLElement>(named || "input, select, textarea");
  if (!first || document.activeElement?.matches("input, select, textarea")) return;
  first.focus({ preventScroll: true });
}

/**
 * The fields of a form. They are disabled while typed text would be lost. That is before the page has its scripts, and
 * while a save runs (`busy`). Afterwards the focus returns to its field. With `begins`, the first field is focused
 * initially, or the one with this id. A save that failed offline is repeated once the browser is online.
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
  begins?: boolean | string;
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
  useEffect(() => {
    if (hydrated && begins && fields.current) focusFirst(fields.current, begins);
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
