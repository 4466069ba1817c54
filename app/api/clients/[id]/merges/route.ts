import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/merges/api";
import { mergesOf } from "@/lib/merges/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listMerges, ({ actor, params }) => mergesOf(actor, params.id)),
});
