"use client";

import dynamic from "next/dynamic";
import type { DraftListProps } from "./draft-list";

// Rendered on the server too: a block that appears later would move the rows below it under a pointer.
const DraftList = dynamic(async () => (await import("./draft-list")).DraftList);

/** Offers the user's drafts. Most pages have none to offer, and then do not load its code. */
export const DraftOffer = (props: DraftListProps) => props.drafts.length > 0 && <DraftList {...props} />;
