import "server-only";
import { listedTable } from "@/lib/audit/list-export";
import { auditRead } from "@/lib/audit/record";
import { listedContacts } from "@/lib/contacts/columns";
import { contactsList } from "@/lib/contacts/list";
import { contactListQuery } from "@/lib/contacts/schema";
import type { SessionUser } from "@/lib/core/access/permissions";
import type { Table } from "@/lib/core/api/files";
import type { InFile } from "@/lib/core/api/list-file";
import type { List } from "@/lib/core/database/list";
import { sql } from "@/lib/core/database/sql";
import { listedForms } from "@/lib/forms/columns";
import { formsList } from "@/lib/forms/list";
import { formListQuery } from "@/lib/forms/schema";
import type { ReportKey } from "@/lib/reports/definitions";
import { parseGap, readGapRecords, readLineRecords } from "@/lib/reports/reports";
import type { Behind, ReportQuery } from "@/lib/reports/schema";

/** Returns a CSV file as a download and records the export. `name` must not identify anyone. */
export async function downloadCsv(actor: SessionUser, name: string, text: string): Promise<Response> {
  await auditRead(actor, { action: "exported", entity: "report" });
  return new Response(text, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
    },
  });
}

type Records = InFile<ReportQuery>;

/** `GET /api/reports/{key}/lines/{lineKey}/records.csv`: the forms behind a number that the actor may see. */
export const exportLine = async (actor: SessionUser, report: ReportKey, lineKey: string, asked: Records) =>
  recordsTable(actor, await readLineRecords(actor, report, lineKey, asked), `${report}-${lineKey}`, asked);

/** The same for a gap. */
export const exportGap = async (actor: SessionUser, report: ReportKey, field: string, asked: Records) =>
  recordsTable(
    actor,
    await readGapRecords(actor, report, parseGap(field), asked),
    `${report}-gap-${field}`,
    asked,
  );

/** Returns the forms behind a number as a table, ordered by client, or its contacts, and records the export. */
function recordsTable(
  actor: SessionUser,
  { clients, forms, contacts }: Behind,
  name: string,
  { from, to, format }: Records,
): Promise<Table> {
  if (contacts) {
    const query = { ...contactListQuery.parse({ order: "asc", filters: {} }), format };
    const list = contactsList(actor, query);
    const exporting = { actor, entity: "contact", only: contacts, list, query };
    return listedTable(`${name}-${from}-${to}`, exporting, listedContacts);
  }
  const query = { ...formListQuery.parse({ sort: "client", filters: { formStatus: "all" } }), format };
  const all = formsList(actor, query);
  // As on the screen, clients with equal names are not mixed.
  const list: List = { ...all, sorts: { client: { keys: [sql`f.client_name`, sql`f.client_id`] } } };
  const exporting = { actor, entity: "form", clients, only: forms, list, query };
  return listedTable(`${name}-${from}-${to}`, exporting, listedForms());
}
