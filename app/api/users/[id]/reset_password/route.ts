import * as api from "@/lib/lookups/api";
import { resetUserPassword } from "@/lib/lookups/users";
import { route } from "@/lib/route";

route(api.resetUserPassword, ({ actor, params }) => resetUserPassword(actor, params.id));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
