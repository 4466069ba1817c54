"use client";

import { lazy, Suspense } from "react";
import type { DraftListProps } from "./draft-list";

const DraftList = lazy(async () => ({ default: (await import("./draft-list")).DraftList }));

/** Offers the user's drafts. Most pages have none to offer, and then do not load its code. */
export const DraftOffer = (props: DraftListProps) =>
  props.drafts.length > 0 && (
    // Rendered on the server too: a block that appears later would move the rows below it under a pointer.
    <Suspense>
      <DraftList {...props} />
    </Suspense>
  );
