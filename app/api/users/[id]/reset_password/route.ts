import { resetUserPassword } from "@/lib/accounts/people/data";
import { route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";

route(api.resetUserPassword, ({ actor, params }) => resetUserPassword(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
