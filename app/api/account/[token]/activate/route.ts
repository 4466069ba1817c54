import { activateAccount } from "@/lib/identity/accounts";
import * as api from "@/lib/identity/accounts-api";
import { route } from "@/lib/route";

export const GET = route(api.activateAccount, async ({ params }) => ({
  token: await activateAccount(params.token),
}));
