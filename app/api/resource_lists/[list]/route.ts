import { methods, route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";
import { resourceList } from "@/lib/lookups/resources/data";

export const { GET, POST, PUT, DELETE, PATCH } = methods({
  GET: route(api.listResource, ({ actor, params }) => resourceList(actor, params.list)),
});
