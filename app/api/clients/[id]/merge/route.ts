import { route } from "@/lib/api/route";
import * as api from "@/lib/merges/api";
import { mergeClients } from "@/lib/merges/data";

route(api.mergeClients, ({ actor, params, body }) => mergeClients(actor, params.id, body));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
