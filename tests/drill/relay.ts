import { connect, createServer, type Socket } from "node:net";

/**
 * A stable address of a database, as a cluster manager provides it. It always leads to the port of the current primary.
 */
export interface Relay {
  /** Leads to another port from now on, and closes connections to the former one. */
  lead(port: number): void;
  stop(): Promise<void>;
}

/** Listens on `port` of 127.0.0.1 and forwards to the port `to`. */
export async function startRelay(port: number, to: number): Promise<Relay> {
  const open = new Set<Socket>();
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  let leadsTo = to;
  const server = createServer((client) => {
    const database = connect(leadsTo, "127.0.0.1");
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    lead(next) {
      leadsTo = next;
      cut();
    },
    stop: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
