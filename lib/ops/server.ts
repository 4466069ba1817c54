import "server-only";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { PlainError } from "@/lib/ops/errors";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const MAX_BODY_BYTES = 1024 * 1024;

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface HttpServer {
  server: Server;
  /** From now on requests go to the application; before, they are answered 503. */
  handOver(handler: Handler): void;
  /** Accepts no more, lets the requests in flight finish for at most `seconds`, then cuts them off. */
  stop(seconds: number): Promise<void>;
}

/** Takes the port at once, so that a port in use is said before anything else is done. */
export async function listen(port: number, trustedProxies: number): Promise<HttpServer> {
  let handler: Handler | undefined;
  const server = createServer(
    // A client that sends slowly holds a connection for no longer than this, in milliseconds.
    { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 },
    (request, response) => {
      // Made here and never taken from outside: route() repeats both in its answer and its log.
      request.headers["x-request-id"] = randomUUID();
      request.headers["x-forwarded-for"] = clientAddress(request, trustedProxies);
      if (!METHODS.includes(request.method ?? "")) {
        refuse(request, response, 405, "Method not allowed", { Allow: METHODS.join(", ") });
      } else if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) {
        refuse(request, response, 413, "The body is larger than 1 MB.");
      } else if (!handler) {
        refuse(request, response, 503, "The program is starting. Please try again.", { "Retry-After": "2" });
      } else {
        void handler(request, response);
      }
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        reject(
          new PlainError(
            `Port ${port} is taken by another program. Stop it, or choose another: PORT=${port + 1} npm start`,
          ),
        );
      else if (error.code === "EACCES")
        reject(new PlainError(`This account may not use port ${port}. Choose one above 1023.`));
      else reject(error);
    });
    server.listen(port, () => resolve());
  });

  return {
    server,
    handOver(next) {
      handler = next;
    },
    async stop(seconds) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Connections kept alive turn idle as their requests finish; each is to be closed then.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await Promise.race([closed, sleep(seconds * 1000, undefined, { ref: false })]);
      clearInterval(sweep);
      server.closeAllConnections();
    },
  };
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  error: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "x-request-id": String(request.headers["x-request-id"]),
    ...headers,
  });
  response.end(JSON.stringify({ error }));
}

/** The address as the outermost trusted proxy saw it; what further proxies claim is hearsay. */
function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const claimed = [request.headers["x-forwarded-for"] ?? []].flat().join(",");
  const hops = [...claimed.split(","), request.socket.remoteAddress ?? ""]
    .map((hop) => hop.trim())
    .filter(Boolean);
  const address = hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? "";
  return address.replace(/^::ffff:(?=\d+\.)/, "");
}
