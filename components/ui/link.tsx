"use client";

import NextLink, { useLinkStatus } from "next/link";
import type { ComponentProps } from "react";
import { createPortal } from "react-dom";

/**
 * next/link that shows a bar at the top of the window while its page is on the way. A loading.tsx would show more,
 * but it sends status 200 before the page can answer 403 or 404.
 */
export function Link({ children, ...rest }: ComponentProps<typeof NextLink>) {
  return (
    <NextLink {...rest}>
      {children}
      <Pending />
    </NextLink>
  );
}

function Pending() {
  return useLinkStatus().pending && <PageProgress />;
}

/** The bar at the top of the window while the next page is on its way, once that takes long enough to be felt. */
export function PageProgress() {
  // In the body: what a link stands in may clip it, or be what it is placed by.
  return createPortal(<span aria-hidden="true" className="page-progress" />, document.body);
}
