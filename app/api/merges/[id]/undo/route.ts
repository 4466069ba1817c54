import { route } from "@/lib/api/route";
import * as api from "@/lib/merges/api";
import { undoMerge } from "@/lib/merges/data";

route(api.undoMerge, ({ actor, params, body }) => undoMerge(actor, params.id, body));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
