"use client";

import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";
import { Button } from "./controls";
import type { useToolbar } from "./use-toolbar";

/** Closes the menu, which returns the focus to its button. In a table's wide layout the content is always visible. */
function close({ currentTarget }: MouseEvent<HTMLElement>) {
  if (currentTarget.matches(":popover-open")) currentTarget.hidePopover();
}

/**
 * A button and its menu of links and buttons. The browser closes the menu on Escape and on a click outside; Tab moves
 * from the button into the menu.
 */
export function Menu({
  label,
  className = "",
  children,
  content,
  bar,
  ...button
}: {
  /** The accessible name of the menu's content. */
  label: string;
  className?: string;
  /** Shown in the button. */
  children?: ReactNode;
  content: ReactNode;
  /** The props of a toolbar, if the content is one where it is always visible. */
  bar?: ReturnType<typeof useToolbar>;
} & Omit<ComponentProps<typeof Button>, "content">) {
  const id = useId();
  return (
    <>
      <Button variant="ghost" {...button} popoverTarget={id}>
        {children}
      </Button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key that activates a control in the menu clicks it */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box in all browsers */}
      <div
        id={id}
        popover="auto"
        role="group"
        {...bar}
        aria-label={label}
        className={`popover menu print-hidden ${className}`}
        onClick={close}
      >
        {content}
      </div>
    </>
  );
}
