import * as api from "@/lib/accounts/api";
import { activateAccount } from "@/lib/accounts/data";
import { methods, route } from "@/lib/api/route";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.activateAccount, async ({ params }) => ({ token: await activateAccount(params.token) })),
});
