import * as api from "@/lib/core/server/api";
import { recordBrowserError } from "@/lib/core/server/browser-errors";
import { clientAddress } from "@/lib/identity/credentials";
import { routeOf } from "@/lib/paths";
import { route } from "@/lib/route";

export const POST = route(api.recordBrowserError, async ({ body: { path, ...error }, request }) =>
  recordBrowserError({ ...error, route: routeOf(path) }, clientAddress(request)),
);
