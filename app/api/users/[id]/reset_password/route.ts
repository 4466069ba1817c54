import { resetUserPassword } from "@/lib/accounts/people/data";
import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.resetUserPassword, ({ actor, params }) => resetUserPassword(actor, params.id)),
});
