"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { LinkButton } from "@/components/ui/controls";

/** What became of a guest's request, and where to go on; it takes the focus, since what had it is gone. */
export function Outcome({ children, href, action }: { children: ReactNode; href?: string; action?: string }) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <>
      <p ref={text} role="status" tabIndex={-1} className="outline-none">
        {children}
      </p>
      {href && (
        <LinkButton variant="primary" href={href}>
          {action}
        </LinkButton>
      )}
    </>
  );
}
