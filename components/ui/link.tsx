"use client";

import { useRouter } from "next/navigation";
import { type ComponentProps, useTransition } from "react";
import { createPortal } from "react-dom";

/**
 * A link to another page of this site, with a bar at the top of the window while that page loads. A loading.tsx would
 * show more, but it sends status 200 before the page can answer 403 or 404. Not next/link: that adds 10 KB of scripts to
 * every page, and prefetches. Prefetching brings nothing of a page that has no loading.tsx, but makes the server answer
 * once more for each link in sight; and an opened record is recorded as viewed.
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

/** The bar at the top of the window while the next page loads, once that takes long enough to be noticed. */
export function PageProgress() {
  // Rendered in the body, because an ancestor of the link may clip it or change its position.
  return createPortal(<span aria-hidden="true" className="page-progress" />, document.body);
}
