import { handOver } from "@/lib/accounts/leavers/data";
import { route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";

route(api.handOver, ({ actor, params, body }) => handOver(actor, params.id, body.toUserId));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
