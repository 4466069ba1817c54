import type { Badge } from "@/components/ui/badge";
import type { Submission } from "@/lib/reports/submissions/schema";

/** The badge of a withdrawn submission. */
export const WITHDRAWN: Badge = {
  status_code: "warning",
  status_title: "State",
  display_status: "Withdrawn",
  description: "These numbers are no longer what the funder should use",
};

/** Returns the time, user, and reason of a withdrawal: `11/28/2026 10:30 AM, Ann Lee: wrong quarter`. */
export const withdrawalWords = (
  { by, reason }: NonNullable<Submission["withdrawn"]>,
  moment: string,
): string => `${[moment, by].filter(Boolean).join(", ")}: ${reason}`;
