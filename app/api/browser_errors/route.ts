import { methods, route } from "@/lib/api/route";
import { clientAddress } from "@/lib/auth/credentials";
import * as api from "@/lib/server/api";
import { reportBrowserError } from "@/lib/server/browser-errors";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.reportBrowserError, async ({ body, request }) =>
    reportBrowserError(body, clientAddress(request)),
  ),
});
