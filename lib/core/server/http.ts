import "server-only";
import { randomUUID } from "node:crypto";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createListener, type Server as Listener, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BODY_MAX } from "@/lib/core/api/endpoint";
import type { ErrorCode } from "@/lib/core/errors";
import { log } from "@/lib/core/process/log";
import { countRequest } from "@/lib/core/process/metrics";
import { PlainError } from "@/lib/core/process/plain-error";
import { type RequestContext, withRequest } from "@/lib/core/process/request-context";
import { clientAddresses } from "@/lib/core/server/client-address";
import { boundConnections } from "@/lib/core/server/connections";
import { boundUserAgent, dropInternalHeaders, type Site, securityHeaders } from "@/lib/core/server/headers";
import { type Paths, type Refusal, refusalOf } from "@/lib/core/server/refusals";

/** The time for which a client may continue to send a body after the response. */
const LINGER_MS = 1_000;
/**
 * Time limits of a connection, in milliseconds, and the maximum number of connections. `upload` is the limit of a
 * request whose endpoint accepts more than 1 MB. 100 MB over a line of 1 Mbit/s take 14 minutes. `idle` is longer than
 * clients keep a connection (the proxy 60 seconds): a request that is sent while the server closes its connection fails.
 */
const LIMITS = {
  head: 10_000,
  request: 30_000,
  upload: 1_200_000,
  idle: 65_000,
  silence: 60_000,
  connections: 1_000,
};

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ServerOptions extends Site {
  paths: Paths;
  /** The addresses and subnets of proxies that the server trusts to report the origin of a request. */
  trustedProxies: readonly string[];
  /** The URL that the operator has configured, if any. The server refuses requests under another name. */
  appUrl?: string;
  localOnly?: boolean;
  limits?: Partial<typeof LIMITS>;
}

export interface HttpServer {
  server: Server;
  /** Passes all later requests to the application. Until then the server responds with 503. */
  handOver(handler: Handler): void;
  /** Accepts no new requests, gives running ones at most `seconds` to finish, then closes their connections. */
  stop(seconds: number): Promise<void>;
}

/** Starts to listen at once, so that the program reports a port in use before it does anything else. */
export async function listen(port: number, options: ServerOptions): Promise<HttpServer> {
  let handler: Handler | undefined;
  const addressOf = clientAddresses(options.trustedProxies);
  const limits = { ...LIMITS, ...options.limits };
  const closing = new WeakSet<Socket>();
  const answer = inTurns((request, response) => {
    // Node still passes on a request that came in the same packet.
    if (closing.has(request.socket)) return;
    noteRequest(request, response);
    const context = prepare(request, response, options, addressOf(request));
    const isUpload = options.paths.bodyMaxOf(context.method, context.route) > BODY_MAX;
    limitBody(request, response, isUpload ? limits.upload : limits.request);
    // The server may read a large file for longer than a connection may be silent.
    const { socket } = request;
    if (isUpload) request.once("end", () => socket.setTimeout(limits.upload));
    withRequest(context, () => {
      const refusal = refusalOf(request, { ...options, ready: handler !== undefined });
      if (refusal) {
        refuse(response, ...refusal);
        if (response.getHeader("Connection") === "close") closing.add(socket);
        return;
      }
      request.headers["x-request-path"] = pathOf(request);
      handler?.(request, response).catch(() => refuse(response, 500, "failed", "Something went wrong"));
    });
  });
  const server = createServer(
    {
      headersTimeout: limits.head,
      // Node has one limit for all requests; `limitBody` sets the limit of each.
      requestTimeout: limits.upload,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: limits.idle,
      // Node's own response would lack our headers.
      requireHostHeader: false,
    },
    answer,
  );
  // Closes a connection that neither sends nor reads.
  server.timeout = limits.silence;
  const noteRequest = boundConnections(server, limits.connections);
  server.on("checkExpectation", answer);
  server.on("clientError", (error, socket) => answerUnreadable(error, socket as Socket, options));
  // "localhost" may be the IPv4 or the IPv6 address, and a server listens on one address or on all.
  const second = createListener({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit("connection", socket),
  );
  if (options.localOnly) {
    await bind(server, port, "127.0.0.1");
    await bind(second, port, "::1").catch((error: NodeJS.ErrnoException) => {
      // This machine has no IPv6.
      if (error.code !== "EADDRNOTAVAIL" && error.code !== "EAFNOSUPPORT") throw error;
    });
  } else await bind(server, port);

  return {
    server,
    handOver(next) {
      handler = next;
    },
    async stop(seconds) {
      second.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // Persistent connections become idle as their requests finish, and must then be closed.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await Promise.race([closed, sleep(seconds * 1000, undefined, { ref: false })]);
      clearInterval(sweep);
      server.closeAllConnections();
    },
  };
}

function bind(listener: Listener, port: number, host?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    listener.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        reject(
          new PlainError(
            `Port ${port} is used by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
          ),
        );
      else if (error.code === "EACCES")
        reject(new PlainError(`This account may not use port ${port}. Choose one above 1023.`));
      else reject(error);
    });
    listener.listen(port, host, () => resolve());
  });
}

/** The most requests that a client may send on a connection without having received a response. */
const WAITING_MAX = 100;

/**
 * Returns a function that answers the requests of each connection one after the other. Node passes on all requests of a
 * packet at once, so that a small packet would otherwise start hundreds of pages. Closes a connection with too many.
 */
function inTurns(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  const waiting = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    const begin = () => {
      response.once("close", () => {
        const next = waiting.get(socket)?.shift();
        if (!next) waiting.delete(socket);
        else if (!socket.destroyed) next();
      });
      answer(request, response);
    };
    const others = waiting.get(socket);
    if (!others) {
      waiting.set(socket, []);
      begin();
    } else if (others.length < WAITING_MAX) others.push(begin);
    else socket.destroy();
  };
}

/**
 * Sets the request headers that only our server may set, and overwrites the caller's. Prepares the headers and the log
 * line of the response.
 */
function prepare(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServerOptions,
  address: string,
): RequestContext {
  const begin = performance.now();
  // Next removes the socket from a request whose body it rejects.
  const { socket } = request;
  // Some clients send absolute URLs, which proxies expect.
  request.url = request.url?.replace(/^https?:\/\/[^/?#]*\/?/i, "/") ?? "";
  const url = new URL(`http://host${request.url.startsWith("/") ? request.url : "/*"}`);
  const disconnection = new AbortController();
  const context: RequestContext = {
    id: randomUUID(),
    method: request.method ?? "",
    route: options.paths.routeOf(url.pathname),
    address,
    disconnected: disconnection.signal,
  };
  const security = securityHeaders(options);
  const headers = { ...security, "x-request-id": context.id };

  dropInternalHeaders(request.headers, options.dev);
  boundUserAgent(request.headers);
  Object.assign(request.headers, {
    "x-request-id": context.id,
    "x-client-address": address,
    // Next reads the nonce for its scripts from this header.
    "content-security-policy": security["Content-Security-Policy"],
  });

  // The headers are set as late as possible, so that handlers cannot override them.
  const { writeHead } = response;
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    // A missing file is answered as any unknown address: 307 to the login page, or 404.
    const isAsset = ASSETS.has(context.route) && (args[0] < 300 || args[0] === 304);
    if (!isAsset) response.setHeader("Cache-Control", "no-store");
    // The rest of the body may be endless.
    if (args[0] === 413) closeAfterResponse(response, socket);
    return writeHead.apply(response, args);
  }) as typeof writeHead;

  // Next responds to unexpected errors in plain text.
  const { end } = response;
  response.end = ((...args: Parameters<typeof end>) => {
    const isPlain = String(response.getHeader("Content-Type")).startsWith("text/plain");
    if (response.headersSent || response.statusCode !== 500 || !isPlain) return end.apply(response, args);
    response.removeHeader("Content-Length");
    response.setHeader("Content-Type", "application/json");
    return end.call(response, JSON.stringify({ error: "Something went wrong", code: "failed" }), "utf8");
  }) as typeof end;

  response.on("close", () => {
    const status = response.writableFinished ? response.statusCode : 499;
    if (!response.writableFinished) disconnection.abort();
    const ms = Math.round(performance.now() - begin);
    const { id, method, route, userId } = context;
    countRequest(method, route, status, ms);
    if (!isQuiet(options.paths, route, status))
      log.info({ requestId: id, method, route, userId, status, ms }, "Request");
    if (!request.complete) setTimeout(() => request.complete || socket.destroy(), LINGER_MS).unref();
  });
  return context;
}

/** Returns the path and query of a page's request, without Next's own parameter. */
function pathOf(request: IncomingMessage): string {
  const url = new URL(`http://host${request.url}`);
  url.searchParams.delete("_rsc");
  return url.pathname + url.search;
}

/** Ends a request whose body is still incomplete after `ms`. */
function limitBody(request: IncomingMessage, response: ServerResponse, ms: number): void {
  const { headers, socket } = request;
  if (headers["transfer-encoding"] === undefined && !Number(headers["content-length"])) return;
  const timer = setTimeout(() => request.complete || socket.destroy(), ms).unref();
  response.on("close", () => clearTimeout(timer));
}

/** Unlike Node, does not close at once: unread bytes would reset the connection and lose the response. */
function closeAfterResponse(response: ServerResponse, socket: Socket): void {
  response.setHeader("Connection", "close");
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

/** Files whose address changes with their content. */
const ASSETS = new Set(["/_next/static/", "/branding/"]);
const QUIET = new Set([...ASSETS, "/api/health", "/api/health/live"]);

/** True for a successful request that the log omits, because such requests are frequent or regular. */
const isQuiet = ({ METRICS }: Paths, route: string, status: number) =>
  (QUIET.has(route) || route === METRICS) && status < 400;

function refuse(response: ServerResponse, ...[status, code, error, headers = {}]: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify({ error, code }));
}

const UNREADABLE: Record<string, [status: number, code: ErrorCode, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, "too_large", "The request header is too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "malformed", "The request took too long."],
};

/**
 * Responds to bytes that are not a valid request, or to a request that took too long. Node would respond without our
 * headers.
 */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket, options: ServerOptions): void {
  const isAnswering = "_httpMessage" in socket && socket._httpMessage;
  if (!socket.writable || isAnswering || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, code, message] = UNREADABLE[error.code ?? ""] ?? [
    400,
    "malformed",
    "The request is malformed.",
  ];
  const body = JSON.stringify({ error: message, code });
  const id = randomUUID();
  const headers = {
    ...securityHeaders(options),
    "Cache-Control": "no-store",
    "x-request-id": id,
    Connection: "close",
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
  // Otherwise the connection would stay open until the client closes it too.
  socket.destroySoon();
  log.info({ requestId: id, route: "unreadable", status }, "Request");
}
