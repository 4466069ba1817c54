import { LockIcon } from "@/components/ui/icons";

const CLOSED = "Closed month";

/** A lock in a row of a closed month, instead of actions that would be refused. */
export const ClosedMark = () => (
  <span className="inline-flex min-h-control items-center px-2 text-muted" title={CLOSED}>
    <LockIcon />
    <span className="sr-only">{CLOSED}</span>
  </span>
);
