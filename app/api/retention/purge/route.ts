import * as api from "@/lib/retention/api";
import { purgeClients } from "@/lib/retention/purge";
import { route } from "@/lib/route";

route(api.purgeClients, ({ actor, body }) => purgeClients(actor, body.ids));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
