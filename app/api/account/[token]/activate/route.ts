import { activateAccount } from "@/lib/identity/accounts";
import * as api from "@/lib/identity/accounts-api";
import { route } from "@/lib/route";

route(api.activateAccount, async ({ params }) => ({ token: await activateAccount(params.token) }));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
