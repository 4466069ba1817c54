"use client";

import NextLink, { useLinkStatus } from "next/link";
import type { ComponentProps } from "react";
import { createPortal } from "react-dom";

/**
 * next/link with a bar at the top of the window while the next page loads. A loading.tsx would show more, but it sends
 * status 200 before the page can answer 403 or 404. Nothing is prefetched: without a loading.tsx that brings nothing of
 * a page, but makes the server answer once more for each link in sight; and an opened record is recorded as viewed.
 */
export function Link({ children, ...rest }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink prefetch={false} {...rest}>
      {children}
      <Pending />
    </NextLink>
  );
}

function Pending() {
  return useLinkStatus().pending && <PageProgress />;
}

/** The bar at the top of the window while the next page loads, once that takes long enough to be noticed. */
export function PageProgress() {
  // Rendered in the body, because an ancestor of the link may clip it or change its position.
  return createPortal(<span aria-hidden="true" className="page-progress" />, document.body);
}
