import * as api from "@/lib/clients/merges/api";
import { undoMerge } from "@/lib/clients/merges/merges";
import { route } from "@/lib/route";

route(api.undoMerge, ({ actor, params, body }) => undoMerge(actor, params.id, body));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
