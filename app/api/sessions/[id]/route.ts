import { z } from "zod";
import { methods, route } from "@/lib/api/route";
import { endSession } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  DELETE: route({
    permission: "signed-in",
    params: z.object({ id: z.uuid({ error: "must be the id of a session" }) }),
    status: 204,
    run: ({ actor, params }) => endSession(actor, params.id),
  }),
});
