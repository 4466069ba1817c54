import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/merges/api";
import { openMerges } from "@/lib/merges/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listMerges, ({ actor, params }) => openMerges(actor, params.id)),
});
