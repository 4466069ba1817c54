import { sessionUser } from "@/lib/auth/session";
import { methods, route } from "@/lib/route";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route({ permission: "signed-in", run: async ({ actor }) => sessionUser(actor) }),
});
