import { csvFile } from "@/lib/api/csv";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/history/api";
import { exportAuditEvents } from "@/lib/history/data";
import { AUDIT_LABELS, fieldWords, sentence, whoWords } from "@/lib/history/words";

const HEADER = ["Id", ...Object.values(AUDIT_LABELS)];

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.exportAuditEvents, async ({ actor, query }) =>
    csvFile("audit_log", HEADER, await exportAuditEvents(actor, query), (event) => [
      event.id,
      event.at,
      whoWords(event.userName),
      sentence(event),
      fieldWords(event.fields),
      event.address ?? "",
    ]),
  ),
});
