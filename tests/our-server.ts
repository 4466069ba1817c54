import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerDirectly } from "@/lib/server/direct";

/** The status with which it is said that the request is Next's to answer. */
const NEXTS = 599;

/** As it is before a test puts another in its place. */
const { fetch } = globalThis;
let base: Promise<string> | undefined;

async function listen(): Promise<string> {
  const answer = await answerDirectly(async (_request, response) => {
    response.writeHead(NEXTS).end();
  }, false);
  // Connections are kept, or one might be closed at the moment when a request is sent on it.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The answer that our own server gives without Next (lib/server/direct.ts); null if it leaves that to Next. */
export async function answerOfOurServer(request: Request): Promise<Response | null> {
  base ??= listen();
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  const body = request.body && (await request.arrayBuffer());
  const sent = { method, headers, body, redirect: "manual" } as const;
  const response = await fetch((await base) + pathname + search, sent);
  if (response.status !== NEXTS) return response;
  await response.arrayBuffer();
  return null;
}
