import { route } from "@/lib/api/route";
import * as api from "@/lib/lookups/api";
import { resourceList } from "@/lib/lookups/resources/data";
import { resourceKeys } from "@/lib/lookups/resources/schema";

for (const key of resourceKeys) route(api.listResource[key], ({ actor }) => resourceList(actor, key));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/api/route";
