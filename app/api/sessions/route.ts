import { methods, route } from "@/lib/api/route";
import { endOtherSessions, listSessions } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "signed-in",
    run: async ({ actor }) => ({ sessions: await listSessions(actor) }),
  }),
  DELETE: route({ permission: "signed-in", status: 204, run: ({ actor }) => endOtherSessions(actor) }),
});
