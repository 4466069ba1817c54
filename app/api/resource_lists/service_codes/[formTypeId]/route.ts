import * as api from "@/lib/lookups/api";
import { serviceCodesFor } from "@/lib/lookups/resources/lists";
import { route } from "@/lib/route";

route(api.listServiceCodesOfType, async ({ actor, params }) => ({
  serviceCodes: await serviceCodesFor(actor, params.formTypeId),
}));

export { DELETE, GET, PATCH, POST, PUT } from "@/lib/route";
