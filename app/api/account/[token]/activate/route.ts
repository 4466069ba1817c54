import { z } from "zod";
import { activateAccount } from "@/lib/accounts/data";
import { methods, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({
    permission: "guest",
    params: z.object({ token: z.string() }),
    run: async ({ params }) => ({ token: await activateAccount(params.token) }),
  }),
});
