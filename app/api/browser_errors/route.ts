import { methods, route } from "@/lib/api/route";
import { clientAddress } from "@/lib/auth/credentials";
import { browserErrorBody, reportBrowserError } from "@/lib/server/browser-errors";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route({
    permission: "guest",
    reported: false,
    body: browserErrorBody,
    status: 204,
    run: async ({ body, request }) => reportBrowserError(body, clientAddress(request)),
  }),
});
