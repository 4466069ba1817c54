"use client";

import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useHydrated } from "@/components/ui/hydrated";
import { PageProgress } from "@/components/ui/link";

/** Puts the focus into the first field, unless the user is in one already. */
function focusFirst(fields: HTMLFieldSetElement) {
  const first = fields.querySelector<HTMLInputElement>("input, select, textarea");
  if (!first || document.activeElement?.matches("input, select, textarea")) return;
  first.focus({ preventScroll: true });
  const leave = (event: FocusEvent) => {
    if (!document.querySelector(":active")) return;
    // Left by a click: a complaint that appears at once would move what is being clicked, so it waits for the click.
    event.stopPropagation();
    const again = () => setTimeout(() => first.dispatchEvent(new FocusEvent("focusout", { bubbles: true })));
    window.addEventListener("pointerup", again, { once: true });
  };
  first.addEventListener("focusout", leave, { once: true });
}

/**
 * The fields of a form, closed while what is typed into them would be lost: before the page has its scripts, and
 * (`busy`) once a save has taken the values and until the next page is there. The focus is where it was when they
 * open again. `begins`: the screen is for filling in, so its first field has the focus from the start.
 */
export function FormBody({
  busy = false,
  begins = false,
  children,
}: {
  busy?: boolean;
  begins?: boolean;
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  const fields = useRef<HTMLFieldSetElement>(null);
  const focused = useRef<HTMLElement | null>(null);
  useLayoutEffect(() => {
    // A field that is closed loses the focus to the body.
    if (!busy && document.activeElement === document.body) focused.current?.focus({ preventScroll: true });
  }, [busy]);
  useEffect(() => {
    if (hydrated && begins && fields.current) focusFirst(fields.current);
  }, [hydrated, begins]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: nothing to interact with; it only sees which field has the focus
    <fieldset
      ref={fields}
      role="presentation"
      className="contents disabled:[&_.control]:bg-surface disabled:[&_.control]:text-ink"
      disabled={!hydrated || busy}
      onFocus={(event) => {
        focused.current = event.target;
      }}
    >
      {children}
      {busy && <PageProgress />}
    </fieldset>
  );
}

/** Whether a call is under way, and a way to make one; the fields are open again before its failure is handled. */
export function useSending() {
  const [sending, setSending] = useState(false);
  const send = async <Answer,>(call: () => Promise<Answer>): Promise<Answer> => {
    setSending(true);
    try {
      return await call();
    } finally {
      flushSync(() => setSending(false));
    }
  };
  return { sending, send };
}
