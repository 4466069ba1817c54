"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { LinkButton } from "@/components/ui/controls";

/**
 * The result of a guest's request, with a link to continue. It takes the focus, because it replaces the focused
 * control.
 */
export function Outcome({ children, href, action }: { children: ReactNode; href: string; action: string }) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <>
      <p ref={text} role="status" tabIndex={-1} className="outline-none">
        {children}
      </p>
      <LinkButton variant="primary" href={href}>
        {action}
      </LinkButton>
    </>
  );
}
