import { route } from "@/lib/api/route";
import * as api from "@/lib/auth/api";
import { meOf } from "@/lib/auth/permissions";

route(api.getMe, async ({ actor }) => meOf(actor));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
