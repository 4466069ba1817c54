"use client";

import * as RadixDialog from "@radix-ui/react-dialog";
import type { ReactNode, RefObject } from "react";
import { IconButton } from "./controls";
import { CloseIcon } from "./icons";

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, right-aligned, one of which closes; without them a close button stands beside the title. */
  footer?: ReactNode;
  wide?: boolean;
};

/** What had the focus when the dialog was asked for; it gets the focus back. */
type Opener = { opener: RefObject<Element | null> };

/** Radix gives the focus back only to a trigger of its own; ours are opened from anywhere. */
const giveFocusBack = ({ current }: RefObject<Element | null>) => {
  if (current instanceof HTMLElement) current.focus();
};

export function Modal({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  wide = false,
  opener,
}: DialogProps & Opener) {
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="print-hidden fixed inset-0 z-40 bg-black/50" />
        <RadixDialog.Content
          onCloseAutoFocus={() => giveFocusBack(opener)}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={`card print-hidden fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto p-5 ${wide ? "max-w-3xl" : "max-w-md"}`}
        >
          <div className="flex items-start justify-between gap-3">
            <RadixDialog.Title className="font-semibold text-lg wrap-anywhere">{title}</RadixDialog.Title>
            {!footer && <IconButton label="Close" icon={<CloseIcon />} onClick={onClose} size="sm" />}
          </div>
          {description && (
            <RadixDialog.Description className="wrap-anywhere">{description}</RadixDialog.Description>
          )}
          {children}
          {footer && <div className="flex flex-wrap justify-end gap-3">{footer}</div>}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export function SidePanel({
  open,
  onClose,
  title,
  children,
  opener,
}: Pick<DialogProps, "open" | "onClose" | "title" | "children"> & Opener) {
  return (
    <RadixDialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="print-hidden fixed inset-0 z-40 bg-black/50" />
        <RadixDialog.Content
          onCloseAutoFocus={() => giveFocusBack(opener)}
          aria-describedby={undefined}
          className="print-hidden fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] overflow-y-auto border-line border-r bg-surface p-3"
        >
          <div className="mb-2 flex items-center justify-between pl-3">
            <RadixDialog.Title className="font-semibold">{title}</RadixDialog.Title>
            <IconButton label={`Close ${title.toLowerCase()}`} icon={<CloseIcon />} onClick={onClose} />
          </div>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
