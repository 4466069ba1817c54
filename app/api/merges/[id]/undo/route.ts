import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/merges/api";
import { undoMerge } from "@/lib/merges/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  POST: route(api.undoMerge, ({ actor, params, body }) => undoMerge(actor, params.id, body)),
});
