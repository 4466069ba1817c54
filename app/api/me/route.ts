import { methods, route } from "@/lib/api/route";
import { sessionUser } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({ permission: "signed-in", run: async ({ actor }) => sessionUser(actor) }),
});
