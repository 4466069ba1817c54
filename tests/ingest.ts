import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** A stand-in of the error-reporting service: keeps every byte that it is sent. */
export interface Ingest {
  dsn: string;
  /** Heads and bodies of all requests so far, unpacked. */
  received(): string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
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
    // An envelope: its header, then a header and a payload for each item, a line each.
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
