import "server-only";
import { BYTE_ORDER_MARK, type CsvRow, csvLine } from "@/lib/fields/csv";

/** A CSV file that is sent while its rows are read. A failure after the first bytes breaks the file off. */
export function csvFile<Item>(
  name: string,
  header: readonly string[],
  batches: AsyncIterator<readonly Item[]>,
  row: (item: Item) => CsvRow,
): Response {
  const bytes = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.encode(BYTE_ORDER_MARK + csvLine(header)));
    },
    async pull(controller) {
      const { done, value } = await batches.next();
      if (done) controller.close();
      else controller.enqueue(bytes.encode(value.map((item) => csvLine(row(item))).join("")));
    },
    async cancel() {
      await batches.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}.csv"`,
    },
  });
}
