import { methods, route } from "@/lib/api/route";
import { closeSession } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  DELETE: route({
    permission: "signed-in",
    run: async ({ actor }) => {
      const cookie = await closeSession(actor.sessionId);
      return new Response(null, { status: 204, headers: { "Set-Cookie": cookie } });
    },
  }),
});
