import { loginBody } from "@/lib/accounts/schema";
import { methods, route } from "@/lib/api/route";
import { authenticate, clientAddress } from "@/lib/auth/credentials";
import { startSession } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route({
    permission: "guest",
    reported: false,
    body: loginBody,
    run: async ({ body, request }) => {
      const credentials = await authenticate(body.email, body.password, clientAddress(request));
      const { user, cookie } = await startSession(request, credentials);
      return Response.json(user, { headers: { "Set-Cookie": cookie } });
    },
  }),
});
