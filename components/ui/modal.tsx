"use client";

import * as RadixDialog from "@radix-ui/react-dialog";
import { type ReactNode, type RefObject, Suspense, useRef } from "react";
import { IconButton } from "./controls";
import { CloseIcon } from "./icons";
import { ignoredEscapes } from "./ignored-escapes";

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /**
   * The buttons, right-aligned, one of which closes the dialog. Without them there is a close button next to the title.
   */
  footer?: ReactNode;
  /** `widest` has space for two columns. */
  wide?: boolean | "widest";
};

/** The element that had the focus when the dialog was requested; it gets the focus back. */
type Opener = { opener: RefObject<Element | null> };

/** Radix returns the focus only to its own trigger; our dialogs are opened from anywhere. */
const restoreFocus = ({ current }: RefObject<Element | null>) => {
  if (current instanceof HTMLElement) current.focus();
};

export function Modal({
  title,
  onClose,
  description,
  children,
  footer,
  wide = false,
  ...frame
}: DialogProps & Opener) {
  return (
    <Frame
      {...frame}
      onClose={onClose}
      isDescribed={Boolean(description)}
      className={`card top-1/2 left-1/2 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 p-5 ${wide === "widest" ? "max-w-3xl lg:max-w-6xl" : wide ? "max-w-3xl" : "max-w-md"}`}
    >
      <div className="flex items-start justify-between gap-3">
        <RadixDialog.Title className="font-semibold text-lg wrap-anywhere">{title}</RadixDialog.Title>
        {!footer && <IconButton label="Close" icon={<CloseIcon />} onClick={onClose} size="sm" />}
      </div>
      {description && (
        <RadixDialog.Description className="wrap-anywhere">{description}</RadixDialog.Description>
      )}
      {/* The code of its content may still be loading. */}
      <Suspense fallback={<p role="status">Loading…</p>}>{children}</Suspense>
      {footer && <div className="flex flex-wrap justify-end gap-3">{footer}</div>}
    </Frame>
  );
}

export function SidePanel({
  title,
  onClose,
  children,
  ...frame
}: Pick<DialogProps, "open" | "onClose" | "title" | "children"> & Opener) {
  return (
    <Frame
      {...frame}
      onClose={onClose}
      className="inset-y-0 left-0 w-72 max-w-[85vw] border-line border-r bg-surface p-3"
    >
      <div className="mb-2 flex items-center justify-between pl-3">
        <RadixDialog.Title className="font-semibold">{title}</RadixDialog.Title>
        <IconButton label={`Close ${title.toLowerCase()}`} icon={<CloseIcon />} onClick={onClose} />
      </div>
      {children}
    </Frame>
  );
}

/**
 * The common part of all dialogs. The page behind is dimmed and inert, and Escape or a click there closes the dialog.
 * Nothing closes it while it sends something, so that it shows a failure. Only its buttons close it while it contains an
 * element with `data-unsaved`. The second half of the double click that opened it does nothing: on a phone, the button
 * that deletes may be under the finger by then.
 */
function Frame({
  open,
  onClose,
  opener,
  isDescribed = false,
  className,
  children,
}: Pick<DialogProps, "open" | "onClose" | "children"> &
  Opener & { isDescribed?: boolean; className: string }) {
  const content = useRef<HTMLDivElement>(null);
  const overlay = useRef<HTMLDivElement>(null);
  /** False until the first press that began in this dialog. */
  const isPressed = useRef(false);
  const has = (selector: string) => content.current?.querySelector(selector) != null;
  const isSending = () => has("[aria-busy=true]");
  const staysOpen = () => isSending() || has("[data-unsaved]");
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay
          ref={overlay}
          className="print-hidden fixed inset-0 z-40 bg-black/50"
          onClick={({ detail }) => detail > 1 || staysOpen() || onClose()}
        />
        <RadixDialog.Content
          ref={content}
          onEscapeKeyDown={(event) => {
            const hasPopover = has(":popover-open");
            if (!hasPopover && !staysOpen()) return;
            event.preventDefault();
            if (!hasPopover) ignoredEscapes.add(event);
          }}
          onOpenAutoFocus={() => {
            isPressed.current = false;
          }}
          // On the dimmed page, only a whole click closes it, not the press alone.
          onInteractOutside={(event) => {
            const isOnPage = event.detail.originalEvent.target === overlay.current;
            if (isOnPage || staysOpen()) event.preventDefault();
          }}
          onClickCapture={(event) => {
            if (event.detail < 2) isPressed.current = true;
            if (isPressed.current && !isSending()) return;
            event.preventDefault();
            event.stopPropagation();
          }}
          onCloseAutoFocus={() => restoreFocus(opener)}
          // Radix warns about a dialog without a description unless this attribute is set.
          {...(isDescribed ? {} : { "aria-describedby": undefined })}
          className={`print-hidden fixed z-50 overflow-y-auto ${className}`}
        >
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
