import * as api from "@/lib/forms/hand-over/api";
import { handOver } from "@/lib/forms/hand-over/hand-over";
import { route } from "@/lib/route";

export const POST = route(api.handOver, ({ actor, params, body }) => handOver(actor, params.id, body));
