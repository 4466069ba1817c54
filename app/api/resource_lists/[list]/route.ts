import * as api from "@/lib/lookups/api";
import { resourceList } from "@/lib/lookups/resources/lists";
import { resourceKeys } from "@/lib/lookups/resources/schema";
import { route } from "@/lib/route";

for (const key of resourceKeys) route(api.listResource[key], ({ actor }) => resourceList(actor, key));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
