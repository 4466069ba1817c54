import * as api from "@/lib/retention/api";
import { purgeClients } from "@/lib/retention/purge";
import { route } from "@/lib/route";

export const POST = route(api.purgeClients, ({ actor, body }) => purgeClients(actor, body.ids));
