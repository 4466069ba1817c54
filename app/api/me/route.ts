import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { sessionUser } from "@/lib/auth/session";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getMe, async ({ actor }) => sessionUser(actor)),
});
