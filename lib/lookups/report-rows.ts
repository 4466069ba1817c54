import "server-only";
import type { LookupItem } from "@/lib/lookups/schema";
import type { Special } from "@/lib/lookups/special";

// Some lists decide what counts in the FVPSA report, by mappings with dates (lib/reports/mapping.ts). A new record of such a
// list gets a row that is valid from the beginning; Reports Setup can change it.

const REPORT = "fvpsa";

/** Adds the row of a new record, on the line that `lineOf` returns. A setup that is being edited must be read again. */
export const addsReportRow =
  (kind: "contact_kind" | "form_type" | "shelter", lineOf: (item: LookupItem) => string): Special["saved"] =>
  async (tx, item, stored) => {
    if (stored) return;
    const { count } = await tx.reportSetting.updateMany({
      where: { report: REPORT },
      data: { lockVersion: { increment: 1 } },
    });
    if (count === 0) return;
    const row = { report: REPORT, kind, source: String(item.id), line: lineOf(item) };
    await tx.reportMapping.create({ data: { ...row, validFrom: new Date("1900-01-01") } });
  };
