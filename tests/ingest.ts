import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** A fake error-reporting service that stores every byte it receives. */
export interface Ingest {
  dsn: string;
  /** Returns the headers and bodies of all requests so far, decompressed. */
  received(): string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any event
  events(): any[];
  close(): Promise<void>;
}

export async function startIngest(): Promise<Ingest> {
  const requests: { head: string; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
    requests.push({
      head: `${request.method} ${request.url} ${JSON.stringify(request.headers)}`,
      body: body.toString(),
    });
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    dsn: `http://publickey@127.0.0.1:${port}/1`,
    received: () => requests.map(({ head, body }) => `${head}\n${body}`).join("\n"),
    // An envelope is a header line, then a header line and a payload line for each item.
    events: () =>
      requests.flatMap(({ body }) => {
        const lines = body
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line));
        return lines.filter((_, index) => lines[index - 1]?.type === "event");
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
