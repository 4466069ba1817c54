import { StatusBadge } from "@/components/ui/badge";
import { reconciledBadge } from "@/lib/forms/words";

/** Shows whether a supervisor has reconciled the form. */
export function ReconciledBadge({ reconciled }: { reconciled: boolean }) {
  return <StatusBadge badge={reconciledBadge(reconciled)} />;
}
