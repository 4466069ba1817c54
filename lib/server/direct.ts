import "server-only";
import { readdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { isPage, NO_CALL, ROUTES, routeOf } from "@/lib/api/paths";
import type { ApiRequest, Reply } from "@/lib/api/request";
import type { methods } from "@/lib/api/route";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;
type Handlers = ReturnType<typeof methods>;
/** The handlers of a path, and where in it the parameters are. */
type Bound = { handlers: Handlers; params: readonly (readonly [name: string, at: number])[] };
type Load = () => Promise<Bound>;

const FOLDER = "app/api";
const FILE = "/route.ts";
/** What needs no decoding and no second look; Next answers the rest. */
const PLAIN = /^(\/[\w-][\w.-]*)+$/;
const DYNAMIC = /^\[(\w+)\]$/;

/**
 * Answers the calls of the API by the handlers in app/api, without Next, which takes longer over a request than most
 * of them do; what is no such call goes on to `next`. Both ways give the same answer (e2e/both-ways.spec.ts). `ahead`: all
 * handlers are loaded before the first call, which would otherwise wait for its own.
 */
export async function answerDirectly(next: Handler, ahead = true): Promise<Handler> {
  const calls = await findCalls();
  if (ahead) for (const load of calls.values()) await load();
  return async (request, response) => {
    const { method = "", url = "" } = request;
    const [pathname = ""] = url.split("?", 1);
    const bound = PLAIN.test(pathname) ? await calls.get(routeOf(pathname))?.() : undefined;
    if (!bound || !isMethod(bound.handlers, method)) return next(request, response);
    const segments = pathname.split("/");
    const params = Object.fromEntries(bound.params.map(([name, at]) => [name, segments[at]]));
    await send(response, await bound.handlers[method].reply(requestOf(request), params));
  };
}

const isMethod = (handlers: Handlers, method: string): method is keyof Handlers =>
  Object.hasOwn(handlers, method);

/** `/api/forms/{id}` → its handlers, found in the folders as Next finds them. */
async function findCalls(): Promise<Map<string, Load>> {
  const files = (await readdir(FOLDER, { recursive: true }))
    .map((file) => `/${file}`)
    .filter((file) => file.endsWith(FILE))
    // A literal segment wins over a parameter.
    .sort((a, b) => a.split("[").length - b.split("[").length);
  const calls = new Map<string, Load>();
  for (const route of ROUTES.filter((route) => !isPage(route) && route !== NO_CALL)) {
    const segments = route.split("/");
    const folderOf = (file: string) => ["", "api", ...file.slice(1, -FILE.length).split("/")];
    const file = files.find((file) => {
      const folders = folderOf(file);
      return (
        folders.length === segments.length &&
        folders.every((folder, at) => folder === segments[at] || DYNAMIC.test(folder))
      );
    });
    if (!file) continue;
    const params = folderOf(file).flatMap((folder, at) => {
      const name = DYNAMIC.exec(folder)?.[1];
      return name ? [[name, at] as const] : [];
    });
    let bound: Promise<Bound> | undefined;
    const load = async (): Promise<Bound> => {
      const handlers: Handlers = await import(pathToFileURL(path.resolve(FOLDER + file)).href);
      return { handlers, params };
    };
    calls.set(route, () => {
      bound ??= load();
      return bound;
    });
  }
  return calls;
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
  // Who stops reading leaves the connection open for the answer.
  body: request.method === "GET" ? null : request.iterator({ destroyOnReturn: false }),
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
    // Fails when the reader leaves, which is no fault, and when the file breaks off, which the reader sees.
    await pipeline(body, response).catch(() => {});
  }
}
