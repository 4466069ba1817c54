import { methods, route } from "@/lib/api/route";
import { clientAddress } from "@/lib/auth/credentials";
import * as api from "@/lib/server/api";
import { recordBrowserError } from "@/lib/server/browser-errors";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.recordBrowserError, async ({ body, request }) =>
    recordBrowserError(body, clientAddress(request)),
  ),
});
