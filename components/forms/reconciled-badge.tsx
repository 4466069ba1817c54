import { StatusBadge } from "@/components/ui/badge";
import { reconciledBadge } from "@/lib/forms/schema";

/** Whether a supervisor has checked the form. */
export function ReconciledBadge({ reconciled }: { reconciled: boolean }) {
  return <StatusBadge badge={reconciledBadge(reconciled)} />;
}
