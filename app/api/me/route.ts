import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { meOf } from "@/lib/auth/permissions";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.getMe, async ({ actor }) => meOf(actor)),
});
