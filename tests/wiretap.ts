import { type AddressInfo, connect, createServer } from "node:net";

/** The traffic that clients have sent to PostgreSQL through the tap. */
export interface Wiretap {
  /** The same URL, through the tap. */
  url: string;
  /** The parameters with which connections started. */
  startup: Set<string>;
  /** The texts of all statements, and the names under which some were prepared. */
  texts: string[];
  names: string[];
  stop(): Promise<void>;
}

/** Starts a proxy between clients and the server at `address`, and parses the clients' messages. */
export async function tapWire(address: string): Promise<Wiretap> {
  const to = new URL(address);
  const tap: Omit<Wiretap, "url" | "stop"> = { startup: new Set(), texts: [], names: [] };
  const server = createServer((client) => {
    const database = connect(Number(to.port), to.hostname);
    const read = readerFor(tap);
    client.on("data", (bytes) => {
      read(bytes);
      database.write(bytes);
    });
    database.on("data", (bytes) => client.write(bytes));
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(address);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ...tap, url: url.href, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}

/**
 * Parses the messages of one connection as they arrive. The first has no type, all others have a letter
 * before their length.
 */
function readerFor({ startup, texts, names }: Omit<Wiretap, "url" | "stop">) {
  let rest: Buffer = Buffer.alloc(0);
  let type: string | null = null;
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (let isFirst = type === null; ; isFirst = false) {
      const head = isFirst ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      type = isFirst ? "" : rest.toString("latin1", 0, 1);
      // In the first message, the protocol version follows the length.
      const words = rest.toString("utf8", head + (isFirst ? 8 : 4), end).split("\0");
      rest = rest.subarray(end);
      if (type === "") for (let at = 0; words[at]; at += 2) startup.add(words[at] ?? "");
      if (type === "Q") texts.push(words[0] ?? "");
      if (type === "P") texts.push(words[1] ?? "");
      if (type === "P" && words[0]) names.push(words[0]);
    }
  };
}
