import "server-only";
import { auditRead } from "@/lib/audit/record";
import type { SessionUser } from "@/lib/auth/permissions";

/** Answers a CSV file as a download and records the export. `name` must not identify anyone. */
export async function exported(actor: SessionUser, name: string, text: string): Promise<Response> {
  await auditRead(actor, { action: "exported", entity: "report" });
  return new Response(text, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
    },
  });
}
