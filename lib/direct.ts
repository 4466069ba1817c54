import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ApiRequest, Reply } from "@/lib/core/api/request";
import { isPage } from "@/lib/paths";
import { answerCall } from "@/lib/route";
import { loadRoutes } from "@/lib/routes";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Returns a handler that responds to API requests without Next, whose own handling takes longer than most of them. It
 * passes everything else to `next`. In development, Next runs the same handlers.
 */
export async function answerDirectly(next: Handler): Promise<Handler> {
  await loadRoutes();
  return async (request, response) => {
    const [pathname = ""] = (request.url ?? "").split("?", 1);
    if (!pathname.startsWith("/api/") || isPage(pathname)) return next(request, response);
    await send(response, await answerCall(requestOf(request)));
  };
}

const requestOf = (request: IncomingMessage): ApiRequest => ({
  method: request.method ?? "",
  url: `http://localhost${request.url}`,
  headers: {
    get: (name) => {
      const value = request.headers[name.toLowerCase()];
      return value === undefined ? null : String(value);
    },
  },
  // After `run` stops reading, the connection stays open for the response.
  body: ["GET", "HEAD"].includes(request.method ?? "") ? null : request.iterator({ destroyOnReturn: false }),
});

async function send(response: ServerResponse, { status, headers, body }: Reply): Promise<void> {
  response.setHeaders(headers);
  if (typeof body === "string") {
    response.setHeader("content-length", Buffer.byteLength(body));
    response.writeHead(status).end(body);
  } else if (!body) {
    response.writeHead(status).end();
  } else {
    response.writeHead(status);
    // This fails when the client disconnects, which is not an error. It also fails when the file is cut off, which the
    // client notices.
    await pipeline(body, response).catch(() => {});
  }
}
