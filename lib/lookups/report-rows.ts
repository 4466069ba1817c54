import "server-only";
import { EARLIEST_DAY } from "@/lib/core/text/format";
import type { Special } from "@/lib/identity/special";
import type { LookupKey } from "@/lib/lookups/registry";
import { newRowLine, REPORTED_LISTS } from "@/lib/lookups/report-lines";

const REPORT = "fvpsa";

/**
 * Returns a hook that maps a new record of the list to its line in the FVPSA report, from the first day on. A setup that is being
 * edited must be read again.
 */
export const addsReportRow =
  (list: LookupKey): NonNullable<Special["saved"]> =>
  async (tx, item, stored) => {
    const kind = REPORTED_LISTS[list]?.kind;
    if (stored || !kind) return;
    const { count } = await tx.reportSetting.updateMany({
      where: { report: REPORT },
      data: { lockVersion: { increment: 1 } },
    });
    if (count === 0) return;
    const row = { report: REPORT, kind, source: String(item.id), line: newRowLine(kind, item) };
    await tx.reportMapping.create({ data: { ...row, validFrom: new Date(EARLIEST_DAY) } });
  };
