import * as api from "@/lib/lookups/api";
import { resourceList } from "@/lib/lookups/resources/lists";
import { resourceKeys } from "@/lib/lookups/resources/schema";
import { route } from "@/lib/route";

for (const key of resourceKeys) route(api.listResource[key], ({ actor }) => resourceList(actor, key));

export { answerNext as GET } from "@/lib/route";
