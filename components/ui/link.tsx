"use client";

import NextLink, { useLinkStatus } from "next/link";
import type { ComponentProps } from "react";

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
  return useLinkStatus().pending && <span aria-hidden="true" className="page-progress progress" />;
}
