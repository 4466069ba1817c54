import "server-only";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { log } from "@/lib/core/process/log";

const WARN_EVERY_MS = 60_000;

/**
 * Limits `server` to `most` connections. Above the limit, the server accepts a new connection. It closes the one that
 * has waited longest for its client to finish a request. So slow clients, however many, cannot block a client that
 * sends a request at once. Returns a function to call for each request.
 */
export function boundConnections(
  server: Server,
  most: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  /** Each connection with its current request. The connection whose last request ended first is first. */
  const open = new Map<Socket, IncomingMessage | null>();
  let closed = 0;
  let warnedAt = Number.NEGATIVE_INFINITY;

  const closeLongestWaiting = (newest: Socket) => {
    const [waiting] = [...open].find(([, request]) => !request?.complete) ?? [newest];
    waiting.destroy();
    closed += 1;
    if (Date.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = Date.now();
    log.warn({ most, closed }, "Too many connections: those that have been idle longest are closed");
    closed = 0;
  };

  server.on("connection", (socket: Socket) => {
    open.set(socket, null);
    socket.once("close", () => open.delete(socket));
    if (open.size > most) closeLongestWaiting(socket);
  });

  return (request, response) => {
    const { socket } = request;
    open.set(socket, request);
    response.once("close", () => {
      if (open.get(socket) !== request) return;
      // Moves the connection to the end of the order.
      open.delete(socket);
      open.set(socket, null);
    });
  };
}
