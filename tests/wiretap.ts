import { type AddressInfo, connect, createServer } from "node:net";

/** What clients have sent to PostgreSQL through the tap. */
export interface Wiretap {
  /** The same address by way of the tap. */
  url: string;
  /** The parameters with which connections began. */
  startup: Set<string>;
  /** The texts of all statements, and the names under which some were prepared. */
  texts: string[];
  names: string[];
  stop(): Promise<void>;
}

/** Stands between clients and the server that `address` names, and reads along as far as the protocol's front end goes. */
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

/** Takes the messages of one connection as they come: the first has no type, each other one a letter before its length. */
function readerFor({ startup, texts, names }: Omit<Wiretap, "url" | "stop">) {
  let left: Buffer = Buffer.alloc(0);
  let type: string | null = null;
  return (bytes: Buffer) => {
    left = Buffer.concat([left, bytes]);
    for (let isFirst = type === null; ; isFirst = false) {
      const head = isFirst ? 0 : 1;
      if (left.length < head + 4) return;
      const end = head + left.readInt32BE(head);
      if (left.length < end) return;
      type = isFirst ? "" : left.toString("latin1", 0, 1);
      // After its length the first has the protocol's version.
      const words = left.toString("utf8", head + (isFirst ? 8 : 4), end).split("\0");
      left = left.subarray(end);
      if (type === "") for (let at = 0; words[at]; at += 2) startup.add(words[at] ?? "");
      if (type === "Q") texts.push(words[0] ?? "");
      if (type === "P") texts.push(words[1] ?? "");
      if (type === "P" && words[0]) names.push(words[0]);
    }
  };
}
