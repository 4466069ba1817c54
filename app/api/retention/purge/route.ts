import { route } from "@/lib/api/route";
import { purgeClients } from "@/lib/purge/data";
import * as api from "@/lib/retention/api";

route(api.purgeClients, ({ actor, body }) => purgeClients(actor, body.ids));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
