import * as api from "@/lib/forms/hand-over/api";
import { handOver } from "@/lib/forms/hand-over/hand-over";
import { route } from "@/lib/route";

route(api.handOver, ({ actor, params, body }) => handOver(actor, params.id, body));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
