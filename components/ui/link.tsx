"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, useTransition } from "react";
import { createPortal } from "react-dom";

/**
 * A link to another page of this site, with a progress bar while that page loads. A loading.tsx would show more, but it
 * sends status 200 before the page can return 403 or 404. Not next/link, which adds 10 KB of scripts to every page and
 * prefetches. Without a loading.tsx, prefetching only adds one request per visible link, and opening a record is
 * audited as a view.
 */
export function Link({ href, onClick, children, ...rest }: ComponentProps<"a"> & { href: string }) {
  const router = useRouter();
  const [pending, start] = useTransition();
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
        if (event.defaultPrevented || elsewhere || rest.target) return;
        event.preventDefault();
        start(() => router.push(href));
      }}
    >
      {children}
      {pending && <PageProgress />}
    </a>
  );
}

/** A progress bar at the top of the window while the next page loads, after a noticeable delay. */
export function PageProgress() {
  // Rendered in the body, because an ancestor of the link may clip it or change its position.
  return createPortal(<span aria-hidden="true" className="page-progress" />, document.body);
}
