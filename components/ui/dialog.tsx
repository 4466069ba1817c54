"use client";

import { loadable, useLoadable } from "./loadable";
import type { DialogProps } from "./modal";

// No page opens with one.
const modal = loadable(async () => (await import("./modal")).Modal);
const sidePanel = loadable(async () => (await import("./modal")).SidePanel);

/** A modal dialog: focus is trapped in it and given back, Escape and a click outside close it. */
export function Dialog(props: DialogProps) {
  const Modal = useLoadable(modal, props.open);
  return Modal && <Modal {...props} />;
}

/** A panel that slides over the page from the left, for navigation on narrow screens. */
export function Drawer(props: Pick<DialogProps, "open" | "onClose" | "title" | "children">) {
  const SidePanel = useLoadable(sidePanel, props.open);
  return SidePanel && <SidePanel {...props} />;
}
