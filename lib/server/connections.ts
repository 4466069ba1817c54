import "server-only";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const TELL_EVERY_MS = 60_000;

/**
 * Holds at most `most` connections of `server`. A new one beyond that is accepted, and the one closed that has waited
 * longest for its client to finish a request: clients that trickle, however many, keep nobody out who sends a request
 * at once. Answers what is to be called with each request.
 */
export function boundConnections(
  server: Server,
  most: number,
  log: (line: string) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  /** Each connection with the request it answers; those that ended their last request first come first. */
  const open = new Map<Socket, IncomingMessage | null>();
  let closed = 0;
  let toldAt = Number.NEGATIVE_INFINITY;

  const makeRoom = (newest: Socket) => {
    const [waiting] = [...open].find(([, request]) => !request?.complete) ?? [newest];
    waiting.destroy();
    closed += 1;
    if (Date.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = Date.now();
    const message = `More than ${most} connections: those that wait longest for a request are closed`;
    log(JSON.stringify({ level: "warning", message, closed }));
    closed = 0;
  };

  server.on("connection", (socket: Socket) => {
    open.set(socket, null);
    socket.once("close", () => open.delete(socket));
    if (open.size > most) makeRoom(socket);
  });

  return (request, response) => {
    const { socket } = request;
    open.set(socket, request);
    response.once("close", () => {
      if (open.get(socket) !== request) return;
      // Again at the end of the line.
      open.delete(socket);
      open.set(socket, null);
    });
  };
}
