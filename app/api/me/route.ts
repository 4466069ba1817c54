import { meOf } from "@/lib/core/access/permissions";
import * as api from "@/lib/identity/sessions-api";
import { route } from "@/lib/route";

route(api.getMe, async ({ actor }) => meOf(actor));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
