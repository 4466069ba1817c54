import "server-only";

// Lists as CSV: UTF-8 with a byte order mark, RFC 4180 (contract §11).

/** A text that begins as a formula does gets an apostrophe, so that a spreadsheet takes it for text. */
const cell = (value: string | number): string => {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const line = (row: readonly (string | number)[]) => `${row.map(cell).join(",")}\r\n`;

/** A CSV file that is sent while its rows are read. A failure after the first bytes breaks the file off. */
export function csvFile<Item>(
  name: string,
  header: readonly string[],
  batches: AsyncIterator<readonly Item[]>,
  row: (item: Item) => readonly (string | number)[],
): Response {
  const bytes = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.encode(`\uFEFF${line(header)}`));
    },
    async pull(controller) {
      const { done, value } = await batches.next();
      if (done) controller.close();
      else controller.enqueue(bytes.encode(value.map((item) => line(row(item))).join("")));
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
