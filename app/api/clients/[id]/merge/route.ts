import * as api from "@/lib/clients/merges/api";
import { mergeClients } from "@/lib/clients/merges/merges";
import { route } from "@/lib/route";

route(api.mergeClients, ({ actor, params, body }) => mergeClients(actor, params.id, body));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
