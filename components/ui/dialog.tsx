"use client";

import { type RefObject, useLayoutEffect, useRef } from "react";
import { loadable, useLoadable } from "./loadable";
import type { DialogProps } from "./modal";

// Loaded lazily: no page starts with a dialog.
const modal = loadable(async () => (await import("./modal")).Modal);
const sidePanel = loadable(async () => (await import("./modal")).SidePanel);

/**
 * Returns the element that had the focus when the dialog was requested. The focus may move while the dialog's code is
 * loading.
 */
function useOpener(open: boolean): RefObject<Element | null> {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement;
  }, [open]);
  return opener;
}

/** A modal dialog: it traps the focus and returns it. Escape and a click outside close it, with exceptions (`Frame`). */
export function Dialog(props: DialogProps) {
  const Modal = useLoadable(modal, props.open, props.onClose);
  const opener = useOpener(props.open);
  return Modal && <Modal {...props} opener={opener} />;
}

/** A panel that slides over the page from the left, for navigation on narrow screens. */
export function Drawer(props: Pick<DialogProps, "open" | "onClose" | "title" | "children">) {
  const SidePanel = useLoadable(sidePanel, props.open, props.onClose);
  const opener = useOpener(props.open);
  return SidePanel && <SidePanel {...props} opener={opener} />;
}
