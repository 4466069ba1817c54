import * as api from "@/lib/accounts/api";
import { activateAccount } from "@/lib/accounts/data";
import { route } from "@/lib/api/route";

route(api.activateAccount, async ({ params }) => ({ token: await activateAccount(params.token) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
