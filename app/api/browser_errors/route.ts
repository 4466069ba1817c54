import { clientAddress } from "@/lib/auth/credentials";
import { browserErrorBody, reportBrowserError } from "@/lib/browser-errors";
import { methods, route } from "@/lib/route";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route({
    permission: "guest",
    reported: false,
    body: browserErrorBody,
    status: 204,
    run: async ({ body, request }) => reportBrowserError(body, clientAddress(request)),
  }),
});
